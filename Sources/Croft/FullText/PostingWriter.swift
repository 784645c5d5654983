/// Makes blocks of the postings of a segment, which come in the order of terms and numbers.
struct PostingWriter: ~Copyable {
  private let segment: UInt32
  private let longestBlock: Int
  /// The property, the term and 00 of the block at hand.
  private var term = _ByteBuffer()
  private var key = _ByteBuffer()
  private var block = _ByteBuffer()
  private var first: UInt32 = 0
  private var last: UInt32 = 0
  /// About how many bytes of a tree the blocks take.
  private(set) var bytes = 0

  /// What a page has for an entry, beside its bytes.
  private static let entryOverhead = 10

  init(segment: UInt32, longestBlock: Int) {
    self.segment = segment
    self.longestBlock = longestBlock
  }

  /// The bytes that a block takes in a tree.
  static func size(key: Int, value: Int) -> Int { key + value + entryOverhead }

  /// Begins with postings of a term; the last block of another one becomes a change.
  ///
  /// - Parameter term: The property, the term and 00.
  mutating func begin(_ term: UnsafeRawBufferPointer, _ changes: inout TreeChanges) {
    // Safety: the term is compared and copied while the caller borrows it.
    if unsafe ByteList.compare(self.term.bytes, term) == 0 { return }
    finish(&changes)
    self.term.count = 0
    unsafe self.term.append(contentsOf: term)
  }

  /// Adds a posting of the term at hand; a full block becomes a change.
  @inline(__always)
  mutating func add(_ number: UInt32, _ count: UInt32, to changes: inout TreeChanges) {
    if block.count + PostingBlock.longestPosting > longestBlock { finish(&changes) }
    if block.count == 0 { (first, last) = (number, number) }
    PostingBlock.append(number - last, count: count, to: &block)
    last = number
  }

  /// Makes a change of the last block.
  mutating func finish(_ changes: inout TreeChanges) {
    guard block.count > 0 else { return }
    key.count = 0
    key.append(TextIndexKey.block.rawValue)
    key.append(bigEndian: segment)
    // Safety: the bytes are copied while neither buffer changes.
    unsafe key.append(contentsOf: term.bytes)
    key.append(bigEndian: first)
    unsafe changes.put(block.bytes, at: key.bytes)
    bytes += Self.size(key: key.count, value: block.count)
    block.count = 0
  }
}
