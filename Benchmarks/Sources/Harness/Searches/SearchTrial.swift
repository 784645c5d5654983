/// One engine with the texts of a corpus, for all workloads of the corpus.
///
/// Threads: it belongs to one thread.
package final class SearchStore {
  package let engine: any SearchEngine
  let texts: [String]
  fileprivate var nextID: Int64
  private let folder: StoreFolder

  /// Makes the store.
  ///
  /// - Parameter directory: the folder of the store.
  package init(
    _ type: any SearchEngine.Type, _ corpus: SearchCorpus, _ texts: [String], in directory: String
  ) throws {
    self.texts = texts
    nextID = Int64(texts.count)
    folder = StoreFolder("\(type.name)-\(corpus.rawValue)", in: directory)
    try folder.create()
    engine = try type.init(at: folder.storePath, holding: texts)
  }

  /// Closes the store and removes its files.
  package func finish() throws {
    try engine.close()
    try folder.remove()
  }
}

/// One engine on one workload of searches, in this process.
///
/// The bytes of its samples are those of the index alone. Threads: a trial belongs to one thread.
package final class SearchTrial: Contestant {
  package let name: String
  private let workload: SearchWorkload
  private let store: SearchStore
  private let queries: [SearchWorkload.Query]

  /// Prepares a trial.
  package init(_ workload: SearchWorkload, on store: SearchStore) {
    name = type(of: store.engine).name
    self.workload = workload
    self.store = store
    queries = workload.queries(in: store.texts)
  }

  package func round() throws -> Sample {
    let engine = store.engine
    var checksum = Checksum()
    var objects = queries.count
    let memory = PeakMemory()
    let written = WrittenBytes()
    let clock = ContinuousClock()
    let start = clock.now
    var longest: Duration?
    switch (workload.task, workload.part) {
    case (.build, _):
      try engine.buildIndex()
      objects = store.texts.count
    case (.commit, _):
      objects = SearchWorkload.commits
      for ordinal in 0..<objects { try insert(ordinal) }
    case (.longest, _):
      objects = 1
      longest = try (0..<SearchWorkload.commits).map { ordinal in
        try clock.measure { try insert(ordinal) }
      }.max()
    case (_, .first):
      for query in queries {
        let count = try engine.first(SearchWorkload.wanted, of: query)
        if workload.isComparable { checksum.add(count, named: query.text) }
      }
    default:
      for query in queries {
        let count = try engine.count(query)
        if workload.isComparable { checksum.add(count, named: query.text) }
      }
    }
    let elapsed = longest ?? (clock.now - start)
    return Sample(
      nanoseconds: elapsed / .nanoseconds(1), objects: objects,
      checksum: checksum.hexadecimal, fileBytes: try engine.indexBytes(),
      peakBytes: memory.growthBytes(), writtenBytes: written.sinceThen)
  }

  private func insert(_ ordinal: Int) throws {
    try store.engine.insert(store.texts[ordinal % store.texts.count], under: store.nextID)
    store.nextID += 1
  }
}
