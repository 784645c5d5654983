import LMDB

/// When a store's file is compacted before it is opened.
///
/// When the store is opened, the free pages of the file are counted. If there are enough, and no
/// other process has the store open, the file is compacted first. A file that is not a store is
/// never compacted.
public struct CompactionRule: Sendable, Hashable {
  /// The smallest size of a file that is compacted.
  public var leastFileBytes: Int
  /// The smallest free share of a file that is compacted, between 0 and 1.
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
    do {
      try Store.compact(path, options) { file in
        guard holds(for: file) else { return false }
        CoverageMark.hit(.fileCompacted)
        return true
      }
    } catch let error as LMDBError {
      // A file that another process has open is left alone, and it may not exist yet. Other errors are
      // thrown when the store is opened.
      guard error.code == .busy || error.operation == .open else { throw error }
    }
  }

  private func holds(for file: Environment.SpaceUsage) -> Bool {
    file.fileBytes >= leastFileBytes
      && Double(file.freeBytes) >= leastFreeShare * Double(file.fileBytes)
  }
}

extension Store {
  /// Compacts a file that is a store and not open anywhere, if a rule says so.
  ///
  /// - Throws: `LMDBError`; ``StoreError/notACroftFile(path:reason:)``,
  ///   ``StoreError/newerFormat(path:version:)`` and what else the header's reading throws, before
  ///   anything is written.
  static func compact(
    _ path: String, _ options: Options, when rule: (Environment.SpaceUsage) -> Bool
  ) throws {
    var refusal: (any Error)?
    let row = StoreHeader.identifyingRow(of: path) { refusal = $0 }
    try Environment.compact(at: path, options: .init(options), knownBy: row, when: rule)
    if let refusal { throw refusal }
  }
}
