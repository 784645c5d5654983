/// Reads the rows of a scan one after another, by a cursor and by the pages that it leads to.
@safe struct RowStepper: ~Copyable {
  /// How many rows past the end of a range a cursor reads at most.
  private static var stride: Int { Threshold.rowsPastRange.value }

  private let cursor: CursorHandle
  private let seeker: RangeSeeker
  /// The size of the pages that may be read beside the cursor; 0 for none.
  private let pageBytes: Int
  /// The key of the last row read.
  private var last = unsafe Bytes.none
  /// Whether the last row was read from its page, so that the cursor stands on one before it.
  private var isAhead = false

  init(_ cursor: CursorHandle, _ seeker: RangeSeeker, pageBytes: Int) {
    self.cursor = cursor
    self.seeker = seeker
    self.pageBytes = pageBytes
  }

  /// Moves to the first row of the range, and reads it.
  mutating func start(_ row: UnsafeMutablePointer<Bytes>) -> Int32 {
    let code = unsafe seeker.seekStart(cursor, row)
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
      let beside = unsafe readPage(rows + 2 * count, limit - count)
      count += beside
      if beside == 0 {
        let pause = pageBytes > 0 ? count + 1 : min(count + Self.stride, limit)
        while code == 0, count < pause {
          code = unsafe step(rows + 2 * count)
          if code == 0 { count += 1 }
        }
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
  private mutating func step(_ row: UnsafeMutablePointer<Bytes>) -> Int32 {
    if isAhead {
      CoverageMark.hit(.cursorMovedUp)
      var (key, value) = unsafe (last, Bytes.none)
      // Safety: the key lies in the map. Beside the cursor's row, no page above is looked at.
      let code = unsafe cursor.get(&key, &value, .atOrAfter)
      guard code == 0 else { return code }
      isAhead = false
    }
    let code = unsafe seeker.step(cursor, row)
    if code == 0 { unsafe last = row.pointee }
    return code
  }

  /// Reads rows that lie behind the last one on its page, and no more than there is room for.
  private mutating func readPage(_ rows: UnsafeMutablePointer<Bytes>, _ room: Int) -> Int {
    // Safety: the last key is that of a row in the map.
    guard let page = unsafe LeafPage(of: last, pageBytes: pageBytes),
      let place = unsafe page.place(of: last)
    else { return 0 }
    var read = 0
    switch seeker.direction {
    case .forward:
      let most = min(room, page.count - 1 - place)
      while read < most, unsafe page.read(place + 1 + read, into: rows + 2 * read) { read += 1 }
    case .backward:
      let most = min(room, place)
      while read < most, unsafe page.read(place - 1 - read, into: rows + 2 * read) { read += 1 }
    }
    if read > 0 {
      CoverageMark.hit(.pageRead)
      unsafe last = rows[2 * (read - 1)]
      isAhead = true
    }
    return read
  }

  /// Counts the last row and those behind it on its page that belong to the range.
  ///
  /// - Returns: How many there are, and whether the range may go on behind them.
  private mutating func countPage() -> (inside: Int, isAll: Bool) {
    // Safety: as for reading.
    guard let page = unsafe LeafPage(of: last, pageBytes: pageBytes),
      let place = unsafe page.place(of: last), seeker.direction == .forward,
      let end = unsafe page.key(page.count - 1)
    else { return (1, true) }
    if unsafe seeker.contains(end) {
      unsafe last = end
      isAhead = true
      CoverageMark.hit(.pageCounted)
      return (page.count - place, true)
    }
    var (inside, outside) = (place, page.count - 1)
    while outside - inside > 1 {
      let middle = (inside + outside) / 2
      guard let key = unsafe page.key(middle) else { return (1, true) }
      if unsafe seeker.contains(key) { inside = middle } else { outside = middle }
    }
    return (inside - place + 1, false)
  }
}
