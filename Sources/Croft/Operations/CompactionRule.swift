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
      (0...1).contains(leastFreeShare), "A share lies between 0 and 1: half of a file is 0.5.")
    self.leastFileBytes = leastFileBytes
    self.leastFreeShare = leastFreeShare
  }

  /// Compacts the file at a path when the rule says so and nobody has it open.
  func apply(to path: String, _ options: Store.Options) throws {
    guard !options.isReadOnly, try holds(for: path, options) else { return }
    CoverageMark.hit(.fileCompacted)
    do {
      try Environment.compact(at: path, options: .init(options))
    } catch LMDBError.Code.busy {
      // Whoever else has it open keeps it as it is.
    }
  }

  private func holds(for path: String, _ options: Store.Options) throws -> Bool {
    let figures: FileStatistics
    do {
      var reading = Environment.Options(options)
      reading.isReadOnly = true
      let environment = try Environment.open(at: path, options: reading)
      figures = try environment.read { try $0.fileStatistics() }
    } catch is LMDBError {
      // No file yet, or one that is open here; what else is wrong the opening itself will tell.
      return false
    }
    let freeBytes = figures.freePages * figures.pageBytes
    return figures.fileBytes >= leastFileBytes
      && Double(freeBytes) >= leastFreeShare * Double(figures.fileBytes)
  }
}
