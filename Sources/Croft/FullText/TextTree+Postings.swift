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

    fileprivate func keys(in segment: UInt32) -> KeyRange {
      KeyRange(
        lower: .inclusive(TextIndexKey.block(segment, property, lower)),
        upper: .exclusive(
          upper.map { TextIndexKey.block(segment, property, $0) }
            ?? TextIndexKey.block(segment, property + 1)))
    }
  }

  /// Passes the blocks of terms in a segment, in the order of terms and numbers.
  ///
  /// - Parameter body: Takes the term, the first number and the block; a key that is too short is left out.
  func forEachBlock(
    of terms: TermRange, in segment: TextIndexHead.Segment,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (_ term: UnsafeRawBufferPointer, _ first: UInt32, RawSpan) throws -> Void
  ) throws {
    try transaction.forEachBlock(of: tree, in: terms.keys(in: segment.id)) { block in
      for place in 0..<block.count {
        let value = block.value(at: place)
        // Safety: the key is used while the block is borrowed, and only inside its bounds.
        try unsafe block.key(at: place).withUnsafeBytes { key in
          let start = TextIndexKey.segmentEnd + 1
          let end = key.count - TextIndexKey.numberSize
          guard start < end, unsafe key[end - 1] == 0 else { return }
          let number = unsafe key.loadUnaligned(fromByteOffset: end, as: UInt32.self)
          try unsafe body(
            UnsafeRawBufferPointer(rebasing: key[start..<end - 1]), UInt32(bigEndian: number), value
          )
        }
      }
      return true
    }
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
