/// The lists of postings of a few terms that follow each other, in one value of the tree.
///
/// An entry of a tree takes thirty bytes beside its value, which is more than most lists have. So the
/// lists of neighbouring terms share an entry, whose key has the last term of them. The first block whose
/// key does not precede a term is the only one that may have its list, unless the list is continued:
/// then the keys of several blocks have the term.
///
/// For each list a block has how many bytes its term shares with the one before it, how many more it has,
/// and these; the first number; how many bytes the list takes; and the list, as ``PostingBlock`` has it.
/// The first term shares bytes with the last one, so that a single list does not repeat those of the key.
/// A term's bytes are counted with the property before them; numbers are integers of variable length.
struct TermBlock: ~Copyable {
  /// The property, the term and 00 of the list at hand; before the first one, of the block's key.
  private(set) var term = _ByteBuffer()
  /// The first number of the list at hand.
  private(set) var first: UInt32 = 0
  /// Where the list at hand is among the bytes of the block.
  private(set) var list = 0..<0
  private var reader = VariableReader(offset: 0)

  /// Begins to read a block, by the property, the term and 00 of its key.
  mutating func begin(_ term: UnsafeRawBufferPointer) {
    self.term.count = 0
    // Safety: the bytes are copied during the call.
    unsafe self.term.append(contentsOf: term)
    reader = VariableReader(offset: 0)
  }

  /// A term has fewer bytes: its length is one byte of the block.
  private static let termBytesEnd: UInt64 = 128

  /// Reads up to the next list; false where the block ends, or is damaged.
  ///
  /// Values have no checksum, and lists that a merge reads of a damaged block are in order all the same.
  mutating func next(in block: RawSpan) -> Bool {
    let isFirst = reader.offset == 0
    guard let shared = reader.next(in: block), let added = reader.next(in: block),
      // The property is that of the key, and at the end is 00.
      shared > 0, shared < term.count, added < Self.termBytesEnd
    else { return false }
    let start = reader.offset
    guard reader.skip(added, in: block), let number = reader.next(in: block),
      let first = UInt32(exactly: number), let count = reader.next(in: block)
    else { return false }
    let end = start + Int(added)
    // The key's term is the last one; each other one comes after the one before it.
    guard isFirst || follows(block.extracting(start..<end), from: Int(shared)) else { return false }
    let listStart = reader.offset
    guard reader.skip(count, in: block) else { return false }
    term.count = Int(shared)
    // Safety: the bytes are in the block, and are copied during the call.
    unsafe block.extracting(start..<end).withUnsafeBytes { unsafe term.append(contentsOf: $0) }
    term.append(0)
    (self.first, list) = (first, listStart..<reader.offset)
    return true
  }

  /// Whether a term follows the one at hand, of which it has some bytes and then others.
  private func follows(_ added: RawSpan, from shared: Int) -> Bool {
    guard added.byteCount > 0 else { return false }
    if shared == term.count - 1 { return true }
    // Safety: both places are within their bytes.
    return unsafe added.withUnsafeBytes { unsafe $0[0] > term.bytes[shared] }
  }

  /// Whether all of a block was read.
  func isRead(_ block: RawSpan) -> Bool { list.upperBound == block.byteCount }

  /// How many bytes two terms share, each of which has a property before it and 00 after it.
  static func shared(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let end = min(left.count, right.count) - 1
    var shared = 0
    // Safety: the places are less than both counts.
    while shared < end, unsafe left[shared] == right[shared] { shared += 1 }
    return shared
  }
}

extension _ByteBuffer {
  /// Appends how much a term shares with another one, and the bytes that it has besides.
  ///
  /// - Parameter term: The property, the term and 00.
  mutating func append(term: UnsafeRawBufferPointer, after other: UnsafeRawBufferPointer) {
    let shared = unsafe TermBlock.shared(other, term)
    // Safety: the bytes are copied during the call; all but the last one is the property and the term.
    let added = unsafe UnsafeRawBufferPointer(rebasing: term[shared..<term.count - 1])
    append(variable: UInt64(shared))
    append(variable: UInt64(added.count))
    unsafe append(contentsOf: added)
  }
}
