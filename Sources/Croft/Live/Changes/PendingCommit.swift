/// What is known of a commit of this store, from the moment it is durable.
///
/// Nothing is looked at before the hub does, so that the writer only hands it over.
struct PendingCommit: Sendable {
  let sequence: UInt64
  /// The catalog whose layouts the capture's rows have.
  let catalog: Catalog
  /// The changes; nil where nobody had asked for any when the transaction began.
  let capture: ChangeCapture?

  /// About how much memory it takes.
  var byteCount: Int { capture?.bytes.count ?? 0 }

  /// The changes, part by part.
  ///
  /// - Parameter observed: How much is needed of each model by now. What a model did that is
  ///   needed since the transaction began is unknown.
  func segments(for observed: ObservedRegions) -> [CommitDelta.Part] {
    let models = (capture ?? ChangeCapture(of: catalog) { _ in .nothing }).models
    let late = models.indices.filter { number in
      models[number].layout != nil && models[number].detail == .nothing && !models[number].isUnknown
        && observed.detail(of: number) > .nothing
    }
    guard let capture else { return [CommitDelta.Part(skipped: [], unknown: late)] }
    let parts = capture.segments
    var segments: [CommitDelta.Part] = []
    let starts = [0] + parts.map(\.start) + [capture.bytes.count]
    for (part, skipped) in ([[]] + parts.map(\.skipped)).enumerated() {
      let changes = capture.changes(in: starts[part]..<starts[part + 1], ofPart: part)
      if !changes.isEmpty { segments.append(CommitDelta.Part(skipped: skipped, changes: changes)) }
    }
    // In which part they changed is not known either, so nobody skips it.
    if !late.isEmpty { segments.append(CommitDelta.Part(skipped: [], unknown: late)) }
    return segments
  }
}

extension CommitDelta {
  /// A part of a commit that chosen observers need not hear of.
  struct Part: Sendable {
    /// The observers that need not, by their numbers.
    let skipped: Set<Int>
    /// What was done to each model that changed, by the model's number.
    let changes: [Int: TableDelta]

    init(skipped: Set<Int>, changes: [Int: TableDelta]) {
      self.skipped = skipped
      self.changes = changes
    }

    /// A part in which some models may have changed in any way.
    init(skipped: Set<Int>, unknown models: [Int]) {
      self.init(
        skipped: skipped,
        changes: Dictionary(models.map { ($0, .unknown) }, uniquingKeysWith: { first, _ in first }))
    }
  }
}
