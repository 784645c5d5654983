/// The changes that turn one state of a page into the next one.
///
/// A reader removes the deleted rows, then takes the placed rows in their order and puts each after the
/// row that `after` names, or first in its section where it names none, and last replaces the modified
/// ones.
struct PageBatch: Equatable, Sendable, Encodable {
  /// A row that is new, or that moved.
  struct Placed: Equatable, Sendable, Encodable {
    let id: String
    let section: String
    /// The row before it in its section; nil for the first one.
    let after: String?
    let html: String
  }

  /// A row that stays where it is and looks different.
  struct Modified: Equatable, Sendable, Encodable {
    let id: String
    let html: String
  }

  var deleted: [String] = []
  var placed: [Placed] = []
  var modified: [Modified] = []
  /// The parts around the rows that are different.
  var parts: [String: String] = [:]
  /// The extent; nil where it is the same.
  var extent: RenderedPage.Extent?
  var exists = true

  /// How many rows it changes.
  var count: Int { deleted.count + placed.count + modified.count }

  /// Compares two states.
  ///
  /// The rows that stay are the longest part that is in order in both, so that no fewer can move.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows.
  init(from old: RenderedPage, to new: RenderedPage) {
    var oldIndex: [String: Int] = [:]
    for (index, row) in old.rows.enumerated() { oldIndex[row.id] = index }
    let newIDs = Set(new.rows.map(\.id))
    deleted = old.rows.map(\.id).filter { !newIDs.contains($0) }
    let kept = new.rows.indices.compactMap { index -> (new: Int, old: Int)? in
      let row = new.rows[index]
      guard let before = oldIndex[row.id], old.rows[before].section == row.section
      else { return nil }
      return (index, before)
    }
    let staying = Set(Self.longestIncreasing(kept.map(\.old)).map { kept[$0].new })
    var last: [String: String] = [:]
    for (index, row) in new.rows.enumerated() {
      if !staying.contains(index) {
        placed.append(
          Placed(id: row.id, section: row.section, after: last[row.section], html: row.html))
      } else if let before = oldIndex[row.id], old.rows[before].html != row.html {
        modified.append(Modified(id: row.id, html: row.html))
      }
      last[row.section] = row.id
    }
    parts = new.parts.filter { old.parts[$0.key] != $0.value }
    extent = old.extent == new.extent ? nil : new.extent
    exists = new.exists
  }

  /// The indices of a longest strictly increasing part of some numbers, by patience sorting.
  private static func longestIncreasing(_ numbers: [Int]) -> [Int] {
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: numbers.count)
    for index in numbers.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < numbers[index] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var part: [Int] = []
    var next = ends.last
    while let index = next {
      part.append(index)
      next = before[index]
    }
    return part.reversed()
  }
}

/// All rows and parts of a page, for one that shows another state.
struct PageWindow: Encodable {
  /// The rows of each section.
  let sections: [String: [String]]
  let parts: [String: String]
  let extent: RenderedPage.Extent
  let exists: Bool

  init(_ page: RenderedPage) {
    sections = Dictionary(grouping: page.rows, by: \.section).mapValues { $0.map(\.html) }
    (parts, extent, exists) = (page.parts, page.extent, page.exists)
  }
}
