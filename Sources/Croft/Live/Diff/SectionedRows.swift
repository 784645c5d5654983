/// One version of a sectioned query's result: rows, and where each section starts among them.
struct SectionedRows: Sendable {
  let rows: ResultRows
  let code: SectionCode
  /// The index of each section's first row, ascending.
  let starts: [Int]

  /// Finds the sections of rows.
  ///
  /// - Complexity: O(*s* log *n*) for *s* sections.
  init(_ rows: ResultRows, _ code: SectionCode) {
    var starts: [Int] = []
    var start = 0
    while start < rows.count {
      starts.append(start)
      guard let end = KeyOrder.successor(of: code.copy(of: rows[start])) else { break }
      // Safety: the code is lent for the call.
      let rank = unsafe end.withUnsafeBytes { unsafe rows.tree.find($0).rank }
      start = min(rank - rows.window.lowerBound, rows.count)
    }
    self.init(rows, code, starts: starts)
  }

  init(_ rows: ResultRows, _ code: SectionCode, starts: [Int]) {
    self.rows = rows
    self.code = code
    self.starts = starts
  }

  /// How many sections there are.
  var count: Int { starts.count }

  /// The indices of a section's rows.
  func range(of section: Int) -> Range<Int> {
    starts[section]..<(section + 1 < starts.count ? starts[section + 1] : rows.count)
  }

  /// Where a row stands.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  func position(of index: Int) -> SectionPosition {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle + 1 } else { high = middle }
    }
    return SectionPosition(section: low - 1, index: index - starts[low - 1])
  }

  /// The first section whose code is not before one, and whether it has it.
  func find(_ wanted: [UInt8]) -> (section: Int, isFound: Bool) {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      let own = code.copy(of: rows[starts[middle]])
      if own == wanted { return (middle, true) }
      if own.lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }
}
