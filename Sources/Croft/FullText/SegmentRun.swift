import LMDB

/// The first blocks of a segment that is being merged, in memory.
///
/// Confined to the step that made it.
final class SegmentRun {
  private var keys = ByteList()
  private var values = ByteList()
  /// The block that is next, by its place.
  private var next = 0
  /// Whether the segment has no more blocks.
  private(set) var isWhole = true
  let segment: TextIndexHead.Segment
  /// About how many bytes of a tree the blocks before the next one take.
  private(set) var movedBytes = 0

  /// The bytes of a key that has a property, an empty term, 00 and a number.
  private static let shortestKey = TextIndexKey.segmentEnd + 2 + TextIndexKey.numberSize

  /// Reads blocks until they have more than some bytes.
  init(
    of segment: TextIndexHead.Segment, in index: TextTree, upTo bytes: Int,
    _ transaction: borrowing LMDB.WriteTransaction
  ) throws {
    self.segment = segment
    let range = KeyRange.prefix(TextIndexKey.block.key(segment.id))
    var isDamaged = false
    try transaction.forEachBlock(of: index.tree, in: range) { block in
      for place in 0..<block.count {
        if keys.byteCount + values.byteCount > bytes {
          isWhole = false
          return false
        }
        let (key, value) = (block.key(at: place), block.value(at: place))
        if key.byteCount < Self.shortestKey { isDamaged = true }
        // Safety: both are copied while the block is borrowed.
        unsafe key.withUnsafeBytes { unsafe keys.append($0) }
        unsafe value.withUnsafeBytes { unsafe values.append($0) }
      }
      return !isDamaged
    }
    if isDamaged { throw index.damage("the key of a block") }
  }

  /// The property, the term and 00 of the last block; all blocks of terms before it are here.
  var lastTerm: [UInt8]? {
    // Safety: the bytes are copied while the list stays unchanged.
    keys.count == 0 ? nil : unsafe Array(Self.term(of: keys[keys.count - 1]))
  }

  /// What orders the next block: the property, the term, 00 and the number; nil where there is none
  /// before a term.
  func nextKey(before bound: [UInt8]?) -> UnsafeRawBufferPointer? {
    guard next < keys.count else { return nil }
    // Safety: the caller uses the bytes before the run changes.
    let key = unsafe UnsafeRawBufferPointer(
      rebasing: keys[next].dropFirst(TextIndexKey.segmentEnd))
    if let bound {
      let order = unsafe bound.withUnsafeBytes {
        unsafe ByteList.compare(Self.term(of: keys[next]), $0)
      }
      if order >= 0 { return nil }
    }
    return unsafe key
  }

  /// Passes the next block to a closure, and moves past it.
  ///
  /// - Parameter body: Takes the property, the term and 00; the first number; and the block.
  func readNext(
    _ body: (UnsafeRawBufferPointer, UInt32, RawSpan) throws -> Void
  ) rethrows {
    // Safety: the bytes are passed while the lists stay unchanged; a key has a number at its end.
    let (key, value) = unsafe (keys[next], values[next])
    let number = unsafe key.loadUnaligned(
      fromByteOffset: key.count - TextIndexKey.numberSize, as: UInt32.self)
    try unsafe body(
      Self.term(of: key), UInt32(bigEndian: number), RawSpan(_unsafeBytes: value))
    movedBytes += PostingWriter.size(key: key.count, value: value.count)
    next += 1
  }

  /// Whether no block is left in the segment.
  var isEmpty: Bool { isWhole && next == keys.count }

  /// The keys of the blocks that were moved past; nil for none.
  var movedKeys: KeyRange? {
    if next == 0 { return nil }
    // Safety: the keys are copied.
    return unsafe KeyRange(
      lower: .inclusive(Array(keys[0])), upper: .inclusive(Array(keys[next - 1])))
  }

  private static func term(of key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    // Safety: a key of a run is long enough.
    unsafe UnsafeRawBufferPointer(
      rebasing: key[TextIndexKey.segmentEnd..<key.count - TextIndexKey.numberSize])
  }
}
