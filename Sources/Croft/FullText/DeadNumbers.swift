import LMDB

/// Which numbers are dead, as far as they have been asked for.
///
/// Confined to the call that made it.
struct DeadNumbers {
  private let index: TextTree
  private var known: [UInt32: [UInt64]] = [:]
  /// The part of the last number, which is most often that of the next one.
  private var last: (part: UInt32, words: [UInt64])?

  init(in index: TextTree) { self.index = index }

  private static let wordBits = UInt32(UInt64.bitWidth)
  private static let words = Int(TextIndexKey.numbersPerBits) / UInt64.bitWidth

  /// Whether a number is dead.
  @inline(__always)
  mutating func contains(
    _ number: UInt32, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws(LMDBError) -> Bool {
    let (part, bit) = number.quotientAndRemainder(dividingBy: TextIndexKey.numbersPerBits)
    if last?.part != part { try read(part, in: transaction) }
    guard let words = last?.words, !words.isEmpty else { return false }
    return words[Int(bit / Self.wordBits)] >> UInt64(bit % Self.wordBits) & 1 == 1
  }

  /// Notes that a number is dead; ``put(to:)`` makes it a change of the tree.
  mutating func insert(
    _ number: UInt32, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws(LMDBError) {
    let (part, bit) = number.quotientAndRemainder(dividingBy: TextIndexKey.numbersPerBits)
    if last?.part != part { try read(part, in: transaction) }
    var words = last?.words ?? []
    if words.isEmpty { words = Array(repeating: 0, count: Self.words) }
    words[Int(bit / Self.wordBits)] |= 1 << UInt64(bit % Self.wordBits)
    known[part] = words
    last = (part, words)
  }

  /// Adds the bits of all numbers that were asked for to the changes of the tree.
  func put(to changes: inout TreeChanges) {
    for part in known.keys.sorted() {
      guard let words = known[part], !words.isEmpty else { continue }
      var value: [UInt8] = []
      for word in words { value.append(bigEndian: word) }
      changes.put(value, at: TextIndexKey.dead.key(part))
    }
  }

  @inline(never)
  private mutating func read(
    _ part: UInt32, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws(LMDBError) {
    if let words = known[part] {
      last = (part, words)
      return
    }
    var words: [UInt64] = []
    if let value = try index.value(of: TextIndexKey.dead.key(part), in: transaction) {
      var reader = ByteReader(value[...])
      while words.count < Self.words, let word: UInt64 = reader.integer() { words.append(word) }
      words += Array(repeating: 0, count: Self.words - words.count)
    }
    known[part] = words
    last = (part, words)
  }
}
