/// What leads from one version of a sectioned result to another.
///
/// Beside the diff of the rows it takes O(log *s* log *n*) for each row that comes, goes or
/// moves, and a copy of the *s* sections' starts.
struct SectionedDiff: Sendable {
  /// What became of the rows; one that goes into another section moves.
  let rows: ResultDiff
  /// The later version.
  let after: SectionedRows
  /// The sections of the earlier version that have no rows any more, ascending.
  private(set) var sectionDeletions: [Int] = []
  /// The sections of the later version that had no rows before, ascending.
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
    after = SectionedRows(rows, code, starts: starts)
  }

  /// Whether nothing changed.
  var isEmpty: Bool { rows.isEmpty }
}
