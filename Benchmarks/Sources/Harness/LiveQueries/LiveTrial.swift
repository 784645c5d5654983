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
  private let fields: LiveFields
  private let watched: [[Item]]
  private let unwatched: [[Item]]
  /// Every object that a commit changes, before the change.
  private let originals: [Item]
  private let engine: any LiveEngine
  private let folder: StoreFolder

  /// Makes and opens the store.
  ///
  /// - Parameters:
  ///   - size: how many objects, as the workload takes it.
  ///   - directory: the folder of the store.
  package init(
    _ type: any LiveEngine.Type, _ workload: LiveWorkload, size: Int, in directory: String
  ) throws {
    name = type.name
    items = workload.items(size)
    queries = workload.queries(size)
    fields = workload.fields
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
    try engine.update(fields, of: originals)
    let plain = try medianTime(of: unwatched) { try engine.update(fields, of: $0) }
    try engine.update(fields, of: originals)
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
      var results: [LiveResult] = []
      let nanoseconds = try medianTime(of: watched) { commit in
        try engine.update(fields, of: commit)
        try inboxes[0].wait()
      } afterEach: {
        if queries[0].isAggregate { results.append(try inboxes[0].result()) }
      }
      // Objects are read in the end alone: there may be very many.
      if !queries[0].isAggregate { results.append(try inboxes[0].result()) }
      return (nanoseconds, LiveTrial.checksum(of: results))
    }
  }

  /// The checksum of what was delivered, one after the other.
  private static func checksum(of results: [LiveResult]) -> Checksum {
    var checksum = Checksum()
    for (delivery, result) in results.enumerated() {
      switch result {
      case .objects(let items):
        for (place, item) in items.enumerated() {
          checksum.add(item)
          checksum.add(place, named: "place of \(item.id)")
        }
      case .numbers(let numbers):
        for (place, number) in numbers.enumerated() {
          checksum.add(number, named: "number \(place) of delivery \(delivery)")
        }
      }
    }
    return checksum
  }

  /// How long a commit takes, in nanoseconds.
  ///
  /// - Parameter afterEach: what is done after each commit, off the clock.
  private func medianTime(
    of commits: [[Item]], _ body: ([Item]) throws -> Void, afterEach: () throws -> Void = {}
  ) rethrows -> Double {
    let clock = ContinuousClock()
    return Summary(
      try commits.map { commit in
        let start = clock.now
        try body(commit)
        let elapsed = clock.now - start
        try afterEach()
        return elapsed / .nanoseconds(1)
      }
    ).median
  }
}
