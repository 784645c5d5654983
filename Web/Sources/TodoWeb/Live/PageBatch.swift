/// What turns the rows and the frame of one state into those of the next one.
///
/// A reader removes what is deleted, then takes the placed rows in their order and puts each after the
/// row that `after` names, or first where it names none, and last replaces what is modified. The
/// open rows and the completed ones are two lists of rows.
struct PageBatch: Equatable, Sendable, Encodable {
  /// A row that is new, or that moved.
  struct Placed: Equatable, Sendable, Encodable {
    let id: String
    /// The row before it in its list of rows; nil for the first one.
    let after: String?
    let isDone: Bool
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
  /// The new frame; nil where it is the same.
  var frame: RenderedPage.Frame?

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
      guard let before = oldIndex[row.id], old.rows[before].isDone == row.isDone else { return nil }
      return (index, before)
    }
    let staying = Set(Self.longestIncreasing(kept.map(\.old)).map { kept[$0].new })
    var last: (open: String?, completed: String?) = (nil, nil)
    for (index, row) in new.rows.enumerated() {
      if !staying.contains(index) {
        placed.append(
          Placed(
            id: row.id, after: row.isDone ? last.completed : last.open, isDone: row.isDone,
            html: row.html))
      } else if let before = oldIndex[row.id], old.rows[before].html != row.html {
        modified.append(Modified(id: row.id, html: row.html))
      }
      if row.isDone { last.completed = row.id } else { last.open = row.id }
    }
    frame = old.frame == new.frame ? nil : new.frame
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
