/// Reads the rows of a scan one after another.
@safe struct RowStepper<Source: RowCursor> {
  /// How many rows past the end of a range are read at most.
  private static var stride: Int { Threshold.rowsPastRange.value }

  private var cursor: Source
  private let seeker: RangeSeeker
  /// The key of the last row read.
  private var last = unsafe Bytes.none

  init(_ cursor: Source, _ seeker: RangeSeeker) {
    self.cursor = cursor
    self.seeker = seeker
  }

  /// How many rows the tree has, where that is known.
  var treeCount: Int? { cursor.treeCount }

  /// Moves to the first row of the range, and reads it.
  mutating func start(_ row: UnsafeMutablePointer<Bytes>) -> Int32 {
    let code = unsafe seeker.seekStart(&cursor, row)
    // Safety: the cursor has written the row.
    if code == 0 { unsafe last = row.pointee }
    return code
  }

  /// Reads rows behind those that are there, until there are enough or the last lies past the range.
  ///
  /// - Parameters:
  ///   - rows: Room for `limit` rows, `count` of which are read.
  ///   - count: The number of rows read, which may lie past the range's end.
  ///   - limit: How many rows are enough.
  mutating func fill(
    _ rows: UnsafeMutablePointer<Bytes>, _ count: inout Int, upTo limit: Int
  ) -> Int32 {
    var code: Int32 = 0
    repeat {
      // Safety: there is room for `limit` rows, each a key and a value.
      let beside = unsafe cursor.readPage(
        rows + 2 * count, room: limit - count, seeker.direction)
      count += beside
      if beside > 0 { unsafe last = rows[2 * (count - 1)] }
      let pause =
        beside > 0 ? count : min(count + (cursor.treeCount == nil ? Self.stride : 1), limit)
      while code == 0, count < pause {
        // Safety: there is room for `limit` rows, each a key and a value.
        code = unsafe step(rows + 2 * count)
        if code == 0 { count += 1 }
      }
      // Looking for the range's end now and then spares the steps past it.
    } while unsafe code == 0 && count < limit && seeker.contains(last)
    return code
  }

  /// Counts the rows of the range, or some more than `bound` of them.
  mutating func count(upTo bound: Int) -> (count: Int, code: Int32) {
    var row = unsafe (Bytes.none, Bytes.none)
    // Safety: a key and a value lie one behind the other.
    return unsafe withUnsafeMutablePointer(to: &row) { pointer in
      unsafe pointer.withMemoryRebound(to: Bytes.self, capacity: 2) { row in
        var code = unsafe start(row)
        var count = 0
        while unsafe code == 0 && count <= bound && seeker.contains(last) {
          let (inside, isAll) = countPage()
          count += inside
          if !isAll { break }
          code = unsafe step(row)
        }
        return (count, code)
      }
    }
  }

  /// Moves one row on, and reads it.
  @inline(__always)
  private mutating func step(_ row: UnsafeMutablePointer<Bytes>) -> Int32 {
    let code = unsafe seeker.step(&cursor, row)
    if code == 0 { unsafe last = row.pointee }
    return code
  }

  /// Counts the last row and those behind it on its page that belong to the range.
  ///
  /// - Returns: How many there are, and whether the range may go on behind them.
  private mutating func countPage() -> (inside: Int, isAll: Bool) {
    let rest = cursor.restOfPage
    guard rest > 0, seeker.direction == .forward, let end = unsafe cursor.key(ahead: rest) else {
      return (1, true)
    }
    if unsafe seeker.contains(end) {
      cursor.skip(rest)
      CoverageMark.hit(.pageCounted)
      return (rest + 1, true)
    }
    var (inside, outside) = (0, rest)
    while outside - inside > 1 {
      let middle = (inside + outside) / 2
      guard let key = unsafe cursor.key(ahead: middle) else { return (1, true) }
      if unsafe seeker.contains(key) { inside = middle } else { outside = middle }
    }
    return (inside + 1, false)
  }
}
