public import Croft

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One thing to do.
///
/// A value: it may cross threads, and it outlives the stored row it was read from.
@Model
public struct TodoItem: Hashable, Codable, Sendable {
  /// What the item is known by, for ever; items made later have greater ones.
  @PrimaryKey public var id: UUID = .timeOrdered()
  /// What is to be done, as the title rule left it.
  public var title: String
  /// How urgent it is.
  @Indexed public var priority: Priority = .none
  /// Whether it has been done.
  public var isDone: Bool = false
  /// Whether it carries a star.
  @Indexed public var isImportant: Bool = false
  /// When it was made.
  public var createdAt: Date = .now
  /// What else there is to say; empty where nothing is.
  public var note: String = ""
  /// The group it belongs to, with which it is deleted; nil where it has none.
  @Relation(onDelete: .cascade) public var group: Ref<TodoGroup>?
  /// The day by which it is to be done, wherever on earth that day is.
  public var due: CalendarDay?
  /// The words it is filed under, in the order in which they were given.
  public var tags: [String] = []
  /// Its order key among all items; 0 asks for the end.
  @Indexed public var order: Int64 = 0
  /// When it was done; nil while it is open, or when nobody knows.
  public var doneAt: Date?
}

extension TodoItem {
  /// The id of the group it belongs to; nil where it has none.
  public var groupID: UUID? {
    get { group?.key }
    set { group = newValue.map { Ref($0) } }
  }

  /// An item of a title, in a group or in none.
  package init(title: String, in group: UUID?) {
    self.init(title: title)
    groupID = group
  }
}
