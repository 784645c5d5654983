import LMDB

/// The first blocks of a segment that is being merged, in memory.
///
/// Confined to the step that made it.
final class SegmentRun {
  private var keys = ByteList()
  private var values = ByteList()
  /// The block of the next list, by its place, and its lists.
  private var next = 0
  private var lists = TermBlock()
  /// Whether there is a next list, and whether the block had one before it.
  private var hasList = false
  private var isBegun = false
  /// Whether the segment has no more blocks.
  private(set) var isWhole = true
  let segment: TextIndexHead.Segment

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
    beginBlock()
  }

  /// The property, the term and 00 of the last block; all lists of terms before it are here.
  var lastTerm: [UInt8]? {
    // Safety: the bytes are copied while the list stays unchanged.
    keys.count == 0 ? nil : unsafe Array(Self.term(of: keys[keys.count - 1]))
  }

  /// The property, the term and 00 of the next list; nil where there is none before a term.
  func nextTerm(before bound: [UInt8]?) -> UnsafeRawBufferPointer? {
    guard hasList else { return nil }
    // Safety: the caller uses the bytes before the run changes.
    let term = unsafe lists.term.bytes
    if let bound, unsafe bound.withUnsafeBytes({ unsafe ByteList.compare(term, $0) }) >= 0 {
      return nil
    }
    return unsafe term
  }

  /// Passes the next list to a closure, and moves past it.
  ///
  /// - Parameter body: Takes the property, the term and 00; the first number; and the postings.
  func readNext(
    _ body: (UnsafeRawBufferPointer, UInt32, RawSpan) throws -> Void
  ) rethrows {
    // Safety: the bytes are passed while neither the values nor the lists change.
    let bytes = unsafe values[next]
    let block = unsafe RawSpan(_unsafeBytes: bytes)
    try unsafe body(lists.term.bytes, lists.first, block.extracting(lists.list))
    isBegun = true
    hasList = lists.next(in: block)
    if hasList { return }
    next += 1
    beginBlock()
  }

  /// Moves to the first list from a block on.
  private func beginBlock() {
    isBegun = false
    while next < keys.count {
      // Safety: the key is copied, and the block is read, while the values stay unchanged.
      let (key, bytes) = unsafe (keys[next], values[next])
      unsafe lists.begin(Self.term(of: key))
      hasList = unsafe lists.next(in: RawSpan(_unsafeBytes: bytes))
      if hasList { return }
      next += 1
    }
  }

  /// Whether no list is left in the segment.
  var isEmpty: Bool { isWhole && !hasList }

  /// How many blocks, counted from the first, had a list that was moved past.
  private var movedBlocks: Int { isBegun ? next + 1 : next }

  /// The keys of these blocks; nil for none.
  var movedKeys: KeyRange? {
    if movedBlocks == 0 { return nil }
    // Safety: the keys are copied.
    return unsafe KeyRange(
      lower: .inclusive(Array(keys[0])), upper: .inclusive(Array(keys[movedBlocks - 1])))
  }

  /// About how many bytes of a tree these blocks take.
  var movedBytes: Int {
    (0..<movedBlocks).reduce(0) {
      $0 + (unsafe PostingWriter.size(key: keys[$1].count, value: values[$1].count))
    }
  }

  /// Puts what is left of a block of which some lists were moved past; the run is read no further.
  ///
  /// Its last term and thus its key remain.
  ///
  /// - Returns: About how many bytes of a tree it takes.
  func putRest(to changes: inout TreeChanges) -> Int {
    guard isBegun else { return 0 }
    var writer = PostingWriter(segment: segment.id, longestBlock: .max)
    // Safety: the bytes are copied while the values stay unchanged.
    let bytes = unsafe values[next]
    let block = unsafe RawSpan(_unsafeBytes: bytes)
    repeat {
      unsafe writer.begin(lists.term.bytes, &changes)
      writer.add(block.extracting(lists.list), from: lists.first)
    } while lists.next(in: block)
    writer.finish(&changes)
    return writer.bytes
  }

  private static func term(of key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    // Safety: a key of a run is long enough.
    unsafe UnsafeRawBufferPointer(
      rebasing: key[TextIndexKey.segmentEnd..<key.count - TextIndexKey.numberSize])
  }
}
