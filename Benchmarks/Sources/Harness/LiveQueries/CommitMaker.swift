/// Makes the commits of a workload between processes, in the process that writes.
package struct CommitMaker {
  private let engine: any SharedLiveEngine
  private let commits: [[Item]]
  private let fields: LiveFields
  private var count = 0

  /// Opens the store.
  package init(
    _ type: any SharedLiveEngine.Type, _ workload: LiveWorkload, size: Int, at path: String
  ) throws {
    commits = workload.commits(size)
    fields = workload.fields
    engine = try type.init(sharing: path)
  }

  /// Makes the next commit.
  ///
  /// - Returns: when it had returned, by ``SharedClock``.
  package mutating func commit() throws -> UInt64 {
    try engine.update(fields, of: commits[count % commits.count])
    let now = SharedClock.now
    count += 1
    return now
  }

  /// Closes the store.
  package func finish() throws { try engine.close() }
}
