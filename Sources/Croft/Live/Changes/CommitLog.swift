import LMDB

/// The log of commits in a store's file, from which observers learn of commits not their own.
///
/// The key of a record is the commit's sequence (8 bytes, big-endian), its value what
/// ``LogRecord`` describes. A commit of a program that does not log leaves none, so that the
/// next reader finds a gap. Records are kept up to a bound; older ones go with a later commit.
struct CommitLog {
  static let treeName = "log"
  /// The most commits that are kept.
  static var largestCount: Int { Threshold.loggedCommits.value }
  /// The most bytes, of whole pages, that the records take.
  static var largestBytes: Int { Threshold.loggedBytes.value }
  /// The most bytes of keys in one record; a model whose keys do not fit is said to have changed.
  static var largestKeyBytes: Int { Threshold.loggedKeyBytes.value }

  let tree: Database

  init(tree: Database) { self.tree = tree }

  /// The log of a file, which is nil where there is none.
  init?(in transaction: borrowing some Transaction & ~Copyable) throws {
    guard let tree = try transaction.database(named: Self.treeName) else { return nil }
    self.init(tree: tree)
  }

  /// The log of a file, made where there is none.
  init(creatingIn transaction: inout LMDB.WriteTransaction) throws {
    self.init(tree: try transaction.openDatabase(named: Self.treeName))
  }

  /// Writes the record of a commit, and drops old ones when there are too many.
  ///
  /// - Parameters:
  ///   - record: The record's bytes.
  ///   - sequence: The commit's sequence, greater than any in the log.
  ///   - transaction: The transaction that commits.
  /// - Complexity: O(1) pages; one commit of some hundreds drops an eighth of the log.
  func append(
    _ record: borrowing _ByteBuffer, of sequence: UInt64,
    _ transaction: inout LMDB.WriteTransaction
  ) throws {
    let key = Self.key(sequence)
    // Safety: the bytes are copied while the record is borrowed.
    let body = unsafe [UInt8](record.bytes)
    let value = body + Checksum.bytes(key, body)
    try unsafe transaction.put(value.span.bytes, at: key.span.bytes, in: tree)
    let statistics = try transaction.statistics(of: tree)
    guard statistics.entries > Self.largestCount || statistics.bytes > Self.largestBytes else {
      return
    }
    CoverageMark.hit(.logTrimmed)
    // Many at a time: each commit that drops any writes the log's first pages anew.
    let kept = UInt64(statistics.entries - (statistics.entries + 7) / 8)
    try transaction.deleteRange(
      KeyRange(upper: .inclusive(Self.key(sequence - min(kept, sequence)))), in: tree)
  }

  /// The commits between two, in order; nil where the log lacks one that is wanted.
  ///
  /// - Parameters:
  ///   - known: The sequence of the last commit that is known.
  ///   - last: The sequence of the last commit that is wanted.
  ///   - others: The sequences of commits between them that are not wanted.
  ///   - transaction: A transaction that sees it.
  /// - Complexity: O(records between the two).
  func commits(
    after known: UInt64, through last: UInt64, except others: Set<UInt64> = [],
    in transaction: borrowing some Transaction & ~Copyable
  ) throws -> [LogRecord]? {
    guard last >= known, last - known <= UInt64(Self.largestCount) else { return nil }
    var commits: [LogRecord] = []
    let range = KeyRange(lower: .exclusive(Self.key(known)), upper: .inclusive(Self.key(last)))
    try transaction.forEachBlock(of: tree, in: range) { block in
      for place in 0..<block.count {
        let key = block.key(at: place)
        guard key.byteCount == 8, !others.contains(Self.sequence(key)) else { continue }
        // A record that cannot be read is as good as none.
        guard let commit = LogRecord(sequence: Self.sequence(key), block.value(at: place))
        else { return false }
        commits.append(commit)
      }
      return true
    }
    return UInt64(commits.count + others.count) == last - known ? commits : nil
  }

  /// The sequence of the commit whose record has a key of eight bytes.
  static func sequence(_ key: RawSpan) -> UInt64 { key.word(at: 0).byteSwapped }

  /// The key of a commit's record.
  static func key(_ sequence: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) }
  }
}
