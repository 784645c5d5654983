/// One engine on one live workload, in this process.
///
/// A round makes the commits twice, with observers and without. Its time is the difference of the
/// two medians, for each commit: until its change is delivered, less the commit. On a busy machine
/// that can come out below nothing.
/// Threads: a trial belongs to one thread.
package final class LiveTrial: Contestant {
  package let name: String
  private let items: [Item]
  private let queries: [LiveQuery]
  private let watched: [[Item]]
  private let unwatched: [[Item]]
  /// Every object that a commit changes, as it was.
  private let originals: [Item]
  private let engine: any LiveEngine
  private let folder: StoreFolder

  /// Makes and opens the store.
  ///
  /// - Parameters:
  ///   - size: how many objects, as the workload takes it.
  ///   - directory: where the store lies.
  package init(
    _ type: any LiveEngine.Type, _ workload: LiveWorkload, size: Int, in directory: String
  ) throws {
    name = type.name
    items = workload.items(size)
    queries = workload.queries(size)
    var random = SplitMix64(seed: Dataset.seed)
    watched = workload.commits(items, &random)
    unwatched = workload.commits(items, &random)
    let changed = Set((watched + unwatched).joined().map(\.id))
    originals = items.filter { changed.contains($0.id) }
    folder = StoreFolder("\(type.name)-\(workload.name)", in: directory)
    try folder.create()
    engine = try type.init(at: folder.storePath, holding: items)
  }

  package func round() throws -> Sample {
    let memory = PeakMemory()
    let (observed, checksum) = try observedTime()
    let peakBytes = memory.growthBytes()
    // Puts objects back, and takes up what the end of the observers left to do.
    try engine.update(originals)
    let plain = try medianTime(of: unwatched) { try engine.update($0) }
    try engine.update(originals)
    return Sample(
      nanoseconds: (observed - plain) * Double(watched.count),
      objects: watched.reduce(0) { $0 + $1.count },
      checksum: checksum.hexadecimal, fileBytes: try folder.dataBytes(), peakBytes: peakBytes)
  }

  /// Closes the store and removes its files.
  package func finish() throws {
    try engine.close()
    try folder.remove()
  }

  private func observedTime() throws -> (Double, Checksum) {
    let inboxes = queries.map { _ in Inbox() }
    let tokens = try zip(queries, inboxes).map { try engine.observe($0, into: $1) }
    return try withExtendedLifetime(tokens) {
      for inbox in inboxes { try inbox.wait() }
      let nanoseconds = try medianTime(of: watched) { commit in
        try engine.update(commit)
        try inboxes[0].wait()
      }
      var checksum = Checksum()
      for (place, item) in try inboxes[0].items().enumerated() {
        checksum.add(item)
        checksum.add(place, named: "place of \(item.id)")
      }
      return (nanoseconds, checksum)
    }
  }

  /// How long a commit takes, in nanoseconds.
  private func medianTime(of commits: [[Item]], _ body: ([Item]) throws -> Void) rethrows -> Double
  {
    let clock = ContinuousClock()
    return Summary(
      try commits.map { commit in
        let start = clock.now
        try body(commit)
        return (clock.now - start) / .nanoseconds(1)
      }
    ).median
  }
}
