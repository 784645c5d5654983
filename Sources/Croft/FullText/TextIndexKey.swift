/// The first byte of a key in the tree of a search index: what the entry is.
///
/// Integers in keys are big-endian, so that entries are in the order of their numbers.
enum TextIndexKey: UInt8 {
  /// The head, of which there is one.
  case head
  /// A row that waits for a number, with its primary key: the old number and the bytes of its texts.
  case waiting
  /// Which of 4096 numbers are dead: a bit each.
  case dead
  /// The number of a row, by its primary key.
  case number
  /// The primary keys of 32 numbers, and the lengths of their rows' texts.
  case owners
  /// A block of postings: the segment, the property, the last term, 00, and the first number of its list.
  case block

  /// How many numbers an entry of dead bits has.
  static let numbersPerBits: UInt32 = 4096
  /// How many numbers an entry of owners has.
  static let numbersPerGroup: UInt32 = 32
  /// The bytes of a block's key before the property: the kind and the segment.
  static let segmentEnd = 5
  /// The bytes of a block's key after the term's 00: the first number.
  static let numberSize = 4

  /// The key that all entries of the kind begin with.
  var prefix: [UInt8] { [rawValue] }

  /// The key with a number after the kind.
  func key(_ number: UInt32) -> [UInt8] {
    var key = prefix
    key.append(bigEndian: number)
    return key
  }

  /// The key of a row by its primary key.
  func key(of row: UnsafeRawBufferPointer) -> [UInt8] {
    // Safety: the key is copied while the caller borrows it.
    unsafe prefix + row
  }

  /// Where the blocks of a segment begin that have a property and a term, or begin with it.
  static func block(_ segment: UInt32, _ property: Int, _ term: [UInt8] = []) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(segmentEnd + 1 + term.count)
    key.append(Self.block.rawValue)
    key.append(bigEndian: segment)
    key.append(UInt8(truncatingIfNeeded: property))
    key += term
    return key
  }
}
