import TodoKit

/// A page as HTML, in the parts in which it is sent: rows in sections, and what is around them.
struct RenderedPage: Equatable, Sendable {
  /// One row of a section.
  struct Row: Equatable, Sendable {
    /// The id of its element.
    let id: String
    /// The id of the element that it is in.
    let section: String
    let html: String
    /// What the HTML was made of; nil for a row that is made each time.
    var source: Source?
  }

  /// What the row of an item is made of: from the same the same HTML is made.
  struct Source: Hashable, Sendable {
    let item: TodoItem
    let group: String?
    let isOverdue: Bool
    /// When it is due, in words that depend on the day.
    let due: String?
  }

  /// Which rows of the whole list there are; the browser leaves room for the others.
  struct Extent: Equatable, Sendable, Encodable {
    /// The number of rows before the first one, open and completed.
    let first: Int
    /// The number of open items in the list.
    let open: Int
    /// The number of completed items in the list.
    let completed: Int

    /// How many rows the list has.
    var total: Int { open + completed }
  }

  let rows: [Row]
  /// What is around the rows: HTML by the id of the element that it is in.
  let parts: [String: String]
  let extent: Extent
  /// Whether the list exists; a group may have been deleted.
  let exists: Bool
  /// A number of this state: two states with the same number look the same.
  ///
  /// It is a hash with a key of this process: after a restart, pages are sent what they show once more.
  let version: String

  init(rows: [Row], parts: [String: String], extent: Extent, exists: Bool = true) {
    (self.rows, self.parts, self.extent, self.exists) = (rows, parts, extent, exists)
    var hasher = Hasher()
    for row in rows {
      hasher.combine(row.id)
      hasher.combine(row.section)
      hasher.combine(row.html)
    }
    hasher.combine(parts)
    for number in [extent.first, extent.open, extent.completed] { hasher.combine(number) }
    hasher.combine(exists)
    version = String(UInt(bitPattern: hasher.finalize()), radix: 16)
  }

  static func == (lhs: RenderedPage, rhs: RenderedPage) -> Bool { lhs.version == rhs.version }
}
