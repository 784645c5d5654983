/// The postings of one term: ascending numbers of rows, and how often the term occurs in each.
///
/// For each posting a block has the distance from the number before, times two, plus one where the
/// term occurs more than once, and then how often. Both are integers of variable length, of seven
/// bits a byte, the lowest first. The first number is in the block's key, so that its distance is 0.
enum PostingBlock {
  /// The most bytes of a posting.
  static let longestPosting = 10

  /// Appends a posting to a block.
  static func append(_ distance: UInt32, count: UInt32, to block: inout _ByteBuffer) {
    block.append(variable: UInt64(distance) << 1 | (count > 1 ? 1 : 0))
    if count > 1 { block.append(variable: UInt64(count)) }
  }

  /// Passes the postings of a block to a closure: those before its damage, where it is damaged.
  ///
  /// - Parameters:
  ///   - block: The bytes of the block.
  ///   - first: The number in the block's key.
  ///   - numbers: The numbers that the block's segment may have.
  ///   - body: Takes a number and a count.
  /// - Returns: Whether the block is undamaged.
  @inline(__always)
  static func forEach(
    in block: RawSpan, from first: UInt32, of numbers: Range<UInt32>,
    _ body: (_ number: UInt32, _ count: UInt32) -> Void
  ) -> Bool {
    var reader = VariableReader(offset: 0)
    var number = UInt64(first)
    var isFirst = true
    while reader.offset < block.byteCount {
      guard let word = reader.next(in: block) else { return false }
      if (word >> 1 == 0) != isFirst { return false }
      isFirst = false
      number += word >> 1
      guard let value = UInt32(exactly: number), numbers.contains(value) else { return false }
      var count: UInt64 = 1
      if word & 1 == 1 {
        guard let more = reader.next(in: block), more > 1, more <= UInt32.max else { return false }
        count = more
      }
      body(value, UInt32(truncatingIfNeeded: count))
    }
    return !isFirst
  }

  /// Writes the numbers of a block to an array: those before its damage, where it is damaged.
  ///
  /// - Parameters:
  ///   - block: The bytes of the block.
  ///   - first: The number in the block's key.
  ///   - numbers: The numbers that the block's segment may have.
  ///   - room: Has room for as many numbers as the block has bytes.
  /// - Returns: How many numbers were written.
  static func readNumbers(
    of block: RawSpan, from first: UInt32, of numbers: Range<UInt32>, to room: inout [UInt32]
  ) -> Int {
    precondition(room.count >= block.byteCount, "Each number takes a byte of a block.")
    // Safety: a posting takes a byte at least, so that there is room for each number.
    return unsafe room.withUnsafeMutableBufferPointer { room in
      var count = 0
      _ = forEach(in: block, from: first, of: numbers) { number, _ in
        unsafe room[count] = number
        count += 1
      }
      return count
    }
  }
}
