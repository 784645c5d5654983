/// A list at one time, in sections: an immutable value that may cross threads.
///
/// A list without sections counts as one section, even when it is empty.
public struct SectionedRows<Element: Sendable>: Sendable {
  /// All rows, those of the first section first.
  public let rows: ListRows<Element>
  /// The sections in their order; nil for a list without sections.
  public let sections: [ListSection]?
  /// For each section the index of its first row, and then the number of rows.
  let bounds: [Int]

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - rows: All rows, those of the first section first.
  ///   - sections: The sections; nil for a list without sections.
  /// - Precondition: The sections have different names and hold all rows, and none is empty.
  public init(_ rows: ListRows<Element>, sections: [ListSection]? = nil) {
    self.rows = rows
    self.sections = sections
    guard let sections else {
      bounds = [0, rows.count]
      return
    }
    precondition(
      Set(sections.map(\.name)).count == sections.count,
      "Two sections have one name: order the list by what its sections are named for.")
    precondition(
      sections.allSatisfy { $0.count > 0 } && sections.reduce(0) { $0 + $1.count } == rows.count,
      "Sections hold all rows, and each at least one: count the rows of each section.")
    bounds = sections.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
  }

  /// Makes a list without sections from an array.
  public init(_ rows: [Element]) {
    self.init(ListRows(rows))
  }

  /// The number of rows in all sections.
  public var count: Int { rows.count }

  /// The number of sections; 1 for a list without sections.
  public var sectionCount: Int { bounds.count - 1 }

  /// The number of rows in a section.
  public func rowCount(inSection section: Int) -> Int { indices(ofSection: section).count }

  /// The name of a section; nil in a list without sections.
  public func name(ofSection section: Int) -> String? { sections?[section].name }

  /// The row at a position.
  public subscript(path: ListIndexPath) -> Element { rows[index(of: path)] }

  /// The row's index among all rows.
  public func index(of path: ListIndexPath) -> Int {
    let section = indices(ofSection: path.section)
    precondition(
      path.row >= 0 && path.row < section.count,
      "Section \(path.section) has \(section.count) rows, and none at \(path.row).")
    return section.lowerBound + path.row
  }

  /// The position of the row with an index among all rows.
  ///
  /// - Complexity: O(log s) for s sections.
  public func path(of index: Int) -> ListIndexPath {
    precondition(rows.indices.contains(index), "There are \(count) rows, and none at \(index).")
    let section = bounds.firstIndexInOrder { $0 > index } - 1
    return ListIndexPath(section: section, row: index - bounds[section])
  }

  func indices(ofSection section: Int) -> Range<Int> {
    precondition(
      section >= 0 && section < sectionCount,
      "There are \(sectionCount) sections, and none at \(section).")
    return bounds[section]..<bounds[section + 1]
  }

  /// Whether both are equal lists; false also when the rows cannot be compared.
  ///
  /// - Complexity: O(s) for s sections where both are of one version; else O(n), if rows can be
  ///   compared at all.
  func isSame(as other: SectionedRows) -> Bool {
    guard rows.count == other.rows.count, sections == other.sections else { return false }
    if rows.isVersion(of: other.rows) { return true }
    guard let rows = rows as? any Equatable else { return false }
    return isEqual(rows, to: other.rows)
  }
}

private func isEqual<Rows: Equatable>(_ rows: Rows, to other: Any) -> Bool {
  (other as? Rows) == rows
}

extension SectionedRows: Equatable where Element: Equatable {}

/// A section of a list: adjacent rows with a name.
public struct ListSection: Hashable, Sendable {
  /// The name, which is unique in the list, such as a heading.
  public let name: String
  /// The number of its rows; more than 0.
  public let count: Int

  /// Makes a section of a number of rows.
  public init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}
