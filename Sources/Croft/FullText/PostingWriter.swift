/// Makes blocks of the postings of a segment, which come in the order of terms and numbers.
struct PostingWriter: ~Copyable {
  private let segment: UInt32
  private let longestBlock: Int
  /// The property, the term and 00 of the list at hand.
  private var term = _ByteBuffer()
  /// The postings of the list at hand, and the first and the last number of them.
  private var list = _ByteBuffer()
  private var first: UInt32 = 0
  private var last: UInt32 = 0
  /// The lists of the block at hand, without the first one's term.
  private var block = _ByteBuffer()
  /// The first term of the block, and the last one of which it has a list.
  private var firstTerm = _ByteBuffer()
  private var lastTerm = _ByteBuffer()
  /// The first number of its last list.
  private var lastFirst: UInt32 = 0
  private var key = _ByteBuffer()
  private var value = _ByteBuffer()
  /// The most bytes that the block has beside the postings at hand.
  private var others = 0
  /// About how many bytes of a tree the blocks take.
  private(set) var bytes = 0

  /// What a page has for an entry, beside its bytes.
  private static let entryOverhead = 10
  /// What a list has for the lengths of its term's parts, each of which is less than 128.
  private static let longestTermHead = 2
  /// The most that a list has beside its term's bytes and its postings.
  private static let longestHead = 9

  init(segment: UInt32, longestBlock: Int) {
    self.segment = segment
    self.longestBlock = longestBlock
  }

  /// The bytes that a block takes in a tree.
  static func size(key: Int, value: Int) -> Int { key + value + entryOverhead }

  /// Begins with postings of a term, after those of the one before.
  ///
  /// - Parameter term: The property, the term and 00.
  mutating func begin(_ term: UnsafeRawBufferPointer, _ changes: inout TreeChanges) {
    // Safety: the term is compared and copied while the caller borrows it.
    if unsafe ByteList.compare(self.term.bytes, term) == 0 { return }
    endList()
    // A block has terms of one property.
    if block.count > 0, unsafe lastTerm.bytes[0] != term[0] { finish(&changes) }
    self.term.count = 0
    unsafe self.term.append(contentsOf: term)
    countOthers()
  }

  /// Adds a posting of the term at hand; a full block becomes a change.
  @inline(__always)
  mutating func add(_ number: UInt32, _ count: UInt32, to changes: inout TreeChanges) {
    if others + list.count + PostingBlock.longestPosting > longestBlock,
      block.count + list.count > 0
    {
      finish(&changes)
      countOthers()
    }
    if list.count == 0 {
      (first, last) = (number, number)
    } else if number <= last {
      // Only blocks of a damaged tree come in another order; the check of the store finds them.
      return
    }
    PostingBlock.append(number - last, count: count, to: &list)
    last = number
  }

  /// Adds a whole list of the term at hand, which has none yet.
  mutating func add(_ list: RawSpan, from first: UInt32) {
    // Safety: the bytes are copied during the call.
    unsafe list.withUnsafeBytes { unsafe self.list.append(contentsOf: $0) }
    self.first = first
  }

  /// Makes a change of the last block.
  mutating func finish(_ changes: inout TreeChanges) {
    endList()
    guard block.count > 0 else { return }
    key.count = 0
    key.append(TextIndexKey.block.rawValue)
    key.append(bigEndian: segment)
    value.count = 0
    // Safety: the bytes are copied while no buffer changes.
    unsafe key.append(contentsOf: lastTerm.bytes)
    key.append(bigEndian: lastFirst)
    unsafe value.append(term: firstTerm.bytes, after: lastTerm.bytes)
    unsafe value.append(contentsOf: block.bytes)
    unsafe changes.put(value.bytes, at: key.bytes)
    bytes += Self.size(key: key.count, value: value.count)
    block.count = 0
  }

  /// Moves the list at hand to the block.
  private mutating func endList() {
    guard list.count > 0 else { return }
    // Safety: the bytes are copied while the other buffers stay unchanged.
    if block.count == 0 {
      firstTerm.count = 0
      unsafe firstTerm.append(contentsOf: term.bytes)
    } else {
      unsafe block.append(term: term.bytes, after: lastTerm.bytes)
    }
    block.append(variable: UInt64(first))
    block.append(variable: UInt64(list.count))
    unsafe block.append(contentsOf: list.bytes)
    lastTerm.count = 0
    unsafe lastTerm.append(contentsOf: term.bytes)
    lastFirst = first
    list.count = 0
  }

  /// Counts what the block has beside the postings at hand, if their list is its last one.
  private mutating func countOthers() {
    others = block.count + Self.longestHead
    // A list alone shares its term with the key.
    if block.count == 0 { return }
    // Safety: the terms are compared while they stay unchanged.
    let shared = unsafe (
      first: TermBlock.shared(firstTerm.bytes, term.bytes),
      last: TermBlock.shared(lastTerm.bytes, term.bytes)
    )
    others += firstTerm.count - shared.first + term.count - shared.last + Self.longestTermHead
  }
}
