import LMDB

extension TextTree {
  /// The terms of a property that are looked for: from one on, and before another.
  struct TermRange: Hashable {
    let property: Int
    let lower: [UInt8]
    /// The first term that is not looked for any more; nil for none.
    let upper: [UInt8]?

    /// One term.
    static func term(_ term: [UInt8], of property: Int) -> TermRange {
      prefix(term + [0], of: property)
    }

    /// All terms that begin with some bytes.
    static func prefix(_ bytes: [UInt8], of property: Int) -> TermRange {
      TermRange(property: property, lower: bytes, upper: KeyRange.end(ofPrefix: bytes))
    }

    /// The keys of the blocks that may have the terms, and of those after them.
    fileprivate func keys(in segment: UInt32) -> KeyRange {
      let last = KeyRange.end(ofPrefix: TextIndexKey.block(segment, property))
      return KeyRange(
        lower: .inclusive(TextIndexKey.block(segment, property, lower)),
        upper: last.map { KeyRange.Bound.exclusive($0) } ?? .unbounded)
    }

    /// Whether a term, which has its property before it and 00 after it, precedes one of this property.
    fileprivate func isTerm(_ term: UnsafeRawBufferPointer, before other: [UInt8]) -> Bool {
      // Safety: the term has its property; both are used while they are borrowed.
      let (own, wanted) = unsafe (term[0], UInt8(truncatingIfNeeded: property))
      guard own == wanted else { return own < wanted }
      return unsafe other.withUnsafeBytes {
        unsafe ByteList.compare(UnsafeRawBufferPointer(rebasing: term[1...]), $0) < 0
      }
    }
  }

  /// Passes the lists of terms in a segment, in the order of terms and numbers.
  ///
  /// Four blocks are on a page, and most terms are in one: the first one is read alone.
  ///
  /// - Parameter body: Takes the term, the first number and the postings.
  /// - Returns: Whether all blocks that were read are undamaged; of a damaged one the lists before the
  ///   damage are passed.
  @discardableResult
  func forEachList(
    of terms: TermRange, in segment: TextIndexHead.Segment,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (_ term: UnsafeRawBufferPointer, _ first: UInt32, RawSpan) throws -> Void
  ) throws -> Bool {
    var lists = TermBlock()
    var areSound = true
    try transaction.forEachBlock(
      of: tree, in: terms.keys(in: segment.id), direction: .forward, rowsInFirst: 1
    ) { rows in
      for place in 0..<rows.count {
        let block = rows.value(at: place)
        // Safety: the key is used while the rows are borrowed, and only inside its bounds.
        let number: UInt32? = unsafe rows.key(at: place).withUnsafeBytes { key in
          let (start, end) = (TextIndexKey.segmentEnd, key.count - TextIndexKey.numberSize)
          guard start + 1 < end, unsafe key[end - 1] == 0 else { return nil }
          unsafe lists.begin(UnsafeRawBufferPointer(rebasing: key[start..<end]))
          let number = unsafe key.loadUnaligned(fromByteOffset: end, as: UInt32.self)
          return UInt32(bigEndian: number)
        }
        guard let number else {
          areSound = false
          continue
        }
        while lists.next(in: block) {
          // Safety: the term is compared and passed on while it stays unchanged.
          let term = unsafe lists.term.bytes
          if unsafe terms.isTerm(term, before: terms.lower) { continue }
          if let upper = terms.upper, unsafe !terms.isTerm(term, before: upper) { return false }
          try unsafe body(
            UnsafeRawBufferPointer(rebasing: term[1..<term.count - 1]), lists.first,
            block.extracting(lists.list))
        }
        // Safety: as above; the key has a term, or no number was found in it.
        let isLast = unsafe rows.key(at: place).withUnsafeBytes { key in
          let end = key.count - TextIndexKey.numberSize
          let last = unsafe UnsafeRawBufferPointer(rebasing: key[TextIndexKey.segmentEnd..<end])
          return unsafe ByteList.compare(lists.term.bytes, last) == 0
        }
        if !lists.isRead(block) || lists.first != number || !isLast { areSound = false }
      }
      return true
    }
    return areSound
  }

  /// How many blocks a segment has of a property.
  func countBlocks(
    of property: Int, in segment: TextIndexHead.Segment,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Int {
    try transaction.count(
      of: tree, in: .prefix(TextIndexKey.block(segment.id, property)), upTo: .max)
  }

  /// The primary key of a number; nil for a dead one, and where the index is damaged.
  func owner(
    of number: UInt32, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> [UInt8]? {
    try part(of: number, in: transaction)?.key
  }

  /// The primary key of a number, and the lengths of its row's texts.
  func part(
    of number: UInt32, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> (key: [UInt8], lengths: [UInt8])? {
    let (group, place) = number.quotientAndRemainder(dividingBy: TextIndexKey.numbersPerGroup)
    let key = TextIndexKey.owners.key(group)
    guard let value = try value(of: key, in: transaction),
      let owners = OwnerGroup.owners(in: value, properties: properties),
      owners.indices.contains(Int(place)), !owners[Int(place)].key.isEmpty
    else { return nil }
    let owner = owners[Int(place)]
    return (Array(value[owner.key]), Array(value[owner.lengths]))
  }
}
