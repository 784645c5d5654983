import LMDB

/// The difference of two versions of a result in sections.
///
/// Beside the diff of the rows it takes O(log *s* log *n*) for each row that is inserted, deleted
/// or moved, and a copy of the *s* sections' starts.
struct SectionedDiff: Sendable {
  /// The difference of the rows; a row that changes its section moves.
  let rows: ResultDiff
  /// The later version.
  let after: SectionedRows
  /// The sections of the earlier version that the later one lacks, ascending.
  private(set) var sectionDeletions: [Int] = []
  /// The sections of the later version that the earlier one lacks, ascending.
  private(set) var sectionInsertions: [Int] = []

  init(from before: SectionedRows, to rows: ResultRows, fields: [Int]? = nil) {
    let code = before.code
    let diff = ResultDiff(from: before.rows, to: rows, fields: fields, section: code)
    self.rows = diff
    var growth: [[UInt8]: Int] = [:]
    for index in diff.deletions { growth[code.copy(of: before.rows[index]), default: 0] -= 1 }
    for index in diff.insertions { growth[code.copy(of: rows[index]), default: 0] += 1 }
    for move in diff.moves {
      growth[code.copy(of: before.rows[move.from]), default: 0] -= 1
      growth[code.copy(of: rows[move.to]), default: 0] += 1
    }
    var counts = (0..<before.count).map { before.range(of: $0).count }
    var new: [(section: Int, code: [UInt8], count: Int)] = []
    for (code, change) in growth where change != 0 {
      let (section, isFound) = before.find(code)
      if isFound { counts[section] += change } else { new.append((section, code, change)) }
    }
    new.sort { $0.code.lexicographicallyPrecedes($1.code) }
    var starts: [Int] = []
    var (start, next) = (0, 0)
    for section in 0...before.count {
      while next < new.count, new[next].section == section {
        sectionInsertions.append(starts.count)
        starts.append(start)
        start += new[next].count
        next += 1
      }
      guard section < before.count else { break }
      if counts[section] == 0 {
        sectionDeletions.append(section)
      } else {
        starts.append(start)
        start += counts[section]
      }
    }
    after = SectionedRows(rows: rows, code: code, starts: starts)
  }

  var isEmpty: Bool { rows.isEmpty }
}

/// One version of a result in sections: the rows, and the index at which each section starts.
struct SectionedRows: Sendable {
  let rows: ResultRows
  let code: SectionCode
  /// The index of each section's first row, ascending.
  let starts: [Int]
}

extension SectionedRows {
  /// Finds the sections of rows: *s* of them in O(*s* log *n*).
  init(_ rows: ResultRows, _ code: SectionCode) {
    var starts: [Int] = []
    var start = 0
    while start < rows.count {
      starts.append(start)
      guard let end = KeyRange.end(ofPrefix: code.copy(of: rows[start])) else { break }
      // Safety: the code is borrowed for the call.
      let rank = unsafe end.withUnsafeBytes { unsafe rows.tree.find($0).rank }
      start = min(rank - rows.window.lowerBound, rows.count)
    }
    self.init(rows: rows, code: code, starts: starts)
  }

  var count: Int { starts.count }

  func range(of section: Int) -> Range<Int> {
    starts[section]..<(section + 1 < starts.count ? starts[section + 1] : rows.count)
  }

  /// The section of a row, and its index there, found in O(log *s*) for *s* sections.
  func position(of index: Int) -> SectionPosition {
    let section = starts.indices.partitionPoint { starts[$0] > index } - 1
    return SectionPosition(section: section, index: index - starts[section])
  }

  /// The first section whose code is not less than a code, and whether it is equal.
  func find(_ wanted: [UInt8]) -> (section: Int, isFound: Bool) {
    func own(_ section: Int) -> [UInt8] { code.copy(of: rows[starts[section]]) }
    let section = starts.indices.partitionPoint { !own($0).lexicographicallyPrecedes(wanted) }
    return (section, section < count && own(section) == wanted)
  }
}

/// Finds a row's section: the part of its code that the order's first key has.
struct SectionCode: Sendable {
  /// How the key is stored.
  let storage: StorageType
  /// The order's first key.
  private let key: SortKey
  /// Computes the key where it is an expression.
  private let expression: ExpressionReader<Int>?

  init(_ key: SortKey, _ storage: StorageType) {
    self.key = key
    // What an expression computes may be nil.
    self.storage = key.path.ownPlace == nil ? storage.optional : storage
    expression = key.path.computed.flatMap {
      // A query with such a one has no rows.
      $0.expression == .tooDeep ? nil : ExpressionReader($0.expression) { $0.place }
    }
  }

  /// The section's key of a row.
  func key<Key: OrderedStorable>(of row: StoredRow) throws -> Key {
    let (layout, view) = (row.layout, row.view)
    return try withExtendedLifetime(row) {
      guard let expression else {
        var decoder = _RecordDecoder(layout: layout)
        return try decoder.value(of: layout.columns[key.path.place], in: view)
      }
      let value = try expression.value { try layout.columns[$0].value(in: view, layout) }
      return try Key.value(value, key.path, layout)
    }
  }

  /// The section's code of a row, borrowed while the row is kept.
  func of(_ row: StoredRow) -> UnsafeRawBufferPointer {
    let code = unsafe row.code(in: .query)
    let length = unsafe KeyCode.length(of: storage, in: code, isDescending: key.isDescending)
    // Safety: the part is within the code.
    return unsafe UnsafeRawBufferPointer(rebasing: code[..<(length ?? code.count)])
  }

  func copy(of row: StoredRow) -> [UInt8] {
    // Safety: the row is kept during the call.
    withExtendedLifetime(row) { unsafe [UInt8](of(row)) }
  }

  /// Whether two rows are in one section.
  func isSame(_ left: StoredRow, _ right: StoredRow) -> Bool {
    // Safety: both rows are kept during the call.
    withExtendedLifetime((left, right)) {
      unsafe ByteList.compare(of(left), of(right)) == 0
    }
  }
}
