import LMDB

/// When a store's file is compacted before it is opened.
///
/// Opening then looks at how much of the file is free. When that is enough, and nobody else has
/// the store open, the file is compacted first; otherwise it is opened as it is.
public struct CompactionRule: Sendable, Hashable {
  /// The least size of a file that is worth it.
  public var leastFileBytes: Int
  /// The least share of the file that is free, between 0 and 1.
  public var leastFreeShare: Double

  /// A rule by size and share; by default files from 64 MiB on of which half is free.
  ///
  /// - Parameters:
  ///   - leastFileBytes: The least size of the file.
  ///   - leastFreeShare: The least share that is free, between 0 and 1.
  public init(leastFileBytes: Int = 64 << 20, leastFreeShare: Double = 0.5) {
    precondition(
      (0...1).contains(leastFreeShare), "A share is between 0 and 1: half of a file is 0.5.")
    self.leastFileBytes = leastFileBytes
    self.leastFreeShare = leastFreeShare
  }

  /// Compacts the file at a path when the rule says so and it is not open anywhere.
  func apply(to path: String, _ options: Store.Options) throws {
    guard !options.isReadOnly else { return }
    do throws(LMDBError) {
      try Environment.compact(at: path, options: .init(options)) { file in
        guard holds(for: file) else { return false }
        CoverageMark.hit(.fileCompacted)
        return true
      }
    } catch {
      // The file stays as it is while another process has it open, and it may not exist yet. Other
      // errors are thrown when the store is opened.
      guard error.code == .busy || error.operation == .open else { throw error }
    }
  }

  private func holds(for file: Environment.SpaceUsage) -> Bool {
    file.fileBytes >= leastFileBytes
      && Double(file.freeBytes) >= leastFreeShare * Double(file.fileBytes)
  }
}
