/// A range at work on one cursor: finding its ends and telling what lies past them.
struct RangeSeeker {
  let range: KeyRange
  let direction: Direction
  let order: KeyComparison

  /// Moves a cursor to the first row of the range in its direction; `notFound` when it is empty.
  func seekStart(
    _ cursor: inout some RowCursor, _ row: UnsafeMutablePointer<Bytes>
  ) -> Int32 {
    let code =
      switch direction {
      case .forward: unsafe seekLowest(&cursor, row)
      case .backward: unsafe seekHighest(&cursor, row)
      }
    guard code == 0 else { return code }
    return unsafe contains(row[0]) ? 0 : LMDBError.Code.notFound.rawValue
  }

  /// Moves a cursor one row on in the range's direction; the caller looks whether that left it.
  @inline(__always)
  func step(
    _ cursor: inout some RowCursor, _ row: UnsafeMutablePointer<Bytes>
  ) -> Int32 {
    unsafe cursor.get(into: row, direction == .forward ? .next : .previous)
  }

  /// Whether the far end of the range, in its direction, lies past a key or at it.
  func contains(_ key: Bytes) -> Bool {
    switch direction {
    case .forward: unsafe isBelowUpper(key)
    case .backward: unsafe isAboveLower(key)
    }
  }

  /// The number of leading rows, of rows in the range's direction, that belong to it: O(log count).
  func countInside(_ rows: UnsafeMutablePointer<Bytes>, count: Int) -> Int {
    guard count > 0, unsafe !contains(rows[2 * (count - 1)]) else { return count }
    var inside = 0
    var outside = count - 1
    while inside < outside {
      let middle = (inside + outside) / 2
      if unsafe contains(rows[2 * middle]) { inside = middle + 1 } else { outside = middle }
    }
    return inside
  }

  private func seekLowest(
    _ cursor: inout some RowCursor, _ row: UnsafeMutablePointer<Bytes>
  ) -> Int32 {
    let isExclusive: Bool
    let bound: [UInt8]
    switch range.lower {
    case .unbounded: return unsafe cursor.get(into: row, .first)
    case .inclusive(let bytes): (bound, isExclusive) = (bytes, false)
    case .exclusive(let bytes): (bound, isExclusive) = (bytes, true)
    }
    // No key is empty, and the C library refuses to seek an empty one.
    if bound.isEmpty { return unsafe cursor.get(into: row, .first) }
    return unsafe bound.withUnsafeBytes { bytes in
      let key = unsafe Bytes(bytes)
      unsafe row.pointee = key
      let code = unsafe cursor.get(into: row, .atOrAfter)
      guard code == 0, isExclusive, unsafe order.order(row.pointee.buffer, key.buffer) == 0
      else { return code }
      return unsafe cursor.get(into: row, .next)
    }
  }

  private func seekHighest(
    _ cursor: inout some RowCursor, _ row: UnsafeMutablePointer<Bytes>
  ) -> Int32 {
    let isExclusive: Bool
    let bound: [UInt8]
    switch range.upper {
    case .unbounded: return unsafe cursor.get(into: row, .last)
    case .inclusive(let bytes): (bound, isExclusive) = (bytes, false)
    case .exclusive(let bytes): (bound, isExclusive) = (bytes, true)
    }
    if bound.isEmpty { return LMDBError.Code.notFound.rawValue }
    return unsafe bound.withUnsafeBytes { bytes in
      let key = unsafe Bytes(bytes)
      unsafe row.pointee = key
      let code = unsafe cursor.get(into: row, .atOrAfter)
      if code == LMDBError.Code.notFound.rawValue { return unsafe cursor.get(into: row, .last) }
      guard code == 0 else { return code }
      let isAtBound = unsafe order.order(row.pointee.buffer, key.buffer) == 0
      return isAtBound && !isExclusive ? 0 : unsafe cursor.get(into: row, .previous)
    }
  }

  private func isBelowUpper(_ key: Bytes) -> Bool {
    switch range.upper {
    case .unbounded: true
    case .inclusive(let bytes): unsafe compare(key, bytes) <= 0
    case .exclusive(let bytes): unsafe compare(key, bytes) < 0
    }
  }

  private func isAboveLower(_ key: Bytes) -> Bool {
    switch range.lower {
    case .unbounded: true
    case .inclusive(let bytes): unsafe compare(key, bytes) >= 0
    case .exclusive(let bytes): unsafe compare(key, bytes) > 0
    }
  }

  private func compare(_ key: Bytes, _ bytes: [UInt8]) -> Int32 {
    // Safety: the array outlives the comparison.
    unsafe bytes.withUnsafeBytes { unsafe order.order(key.buffer, $0) }
  }
}
