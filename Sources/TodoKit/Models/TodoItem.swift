public import Croft
public import CroftFoundation

/// One thing to do.
///
/// A value: it may cross threads, and it outlives the stored row it was read from.
@Model
public struct TodoItem: Hashable, Codable, Sendable {
  /// The permanent id of the item; items made later have greater ids.
  @PrimaryKey public var id: UUID = .timeOrdered()
  /// What is to be done; actions store it as the title rule returns it.
  public var title: String
  /// How urgent it is.
  @Indexed public var priority: Priority = .none
  /// Whether it has been done.
  public var isDone: Bool = false
  /// Whether it has a star.
  @Indexed public var isImportant: Bool = false
  /// When it was made.
  public var createdAt: Date = .now
  /// Further text; empty without any.
  public var note: String = ""
  /// The group it belongs to, with which it is deleted; nil without one.
  @Relation(onDelete: .cascade) public var group: Ref<TodoGroup>?
  /// The calendar day by which it is due, the same in every time zone.
  public var due: CalendarDay?
  /// The time of that day by which it is due; nil for the whole day.
  public var dueTime: TimeOfDay?
  /// Its recurrence; completing it passes the rule to the next occurrence.
  public var repeats: RepeatRule?
  /// How long it is expected to take; nil if nobody has said.
  public var estimate: Estimate?
  /// The day until which lists leave it out while it is open; nil for never.
  @Indexed public var hiddenUntil: CalendarDay?
  /// The tags, in the order in which they were added.
  public var tags: [String] = []
  /// Its order key among all items; an item that is added with 0 gets the last one.
  @Indexed public var order: Int64 = 0
  /// When it was done; nil while it is open, or if the time is unknown.
  public var doneAt: Date?
  /// The name of the imported file's format and its id there; nil for an item that was not
  /// imported.
  public var foreignID: String?
  /// The item's record in the imported file, as the importer stores it.
  public var foreignRecord: Data?

  // The order of `ItemSort.due`, so that the first screen of a list reads no more than that.
  #Index<TodoItem> {
    [
      $0.isDone.ascending, ($0.due ?? CalendarDay.last).ascending, $0.priority.descending,
      ($0.dueTime ?? TimeOfDay.last).ascending, $0.order.ascending,
    ]
  }
}

extension TodoItem {
  /// The id of the group it belongs to; nil without one.
  public var groupID: UUID? {
    get { group?.key }
    set { group = newValue.map { Ref($0) } }
  }

  /// Makes an item of a title, in a group or without one.
  package init(title: String, in group: UUID?) {
    self.init(title: title, group: group.map { Ref($0) })
  }

  /// Whether lists leave it out: it is open, and hidden until a later day.
  public func isWaiting(on today: CalendarDay) -> Bool {
    !isDone && hiddenUntil.map { $0 > today } == true
  }

  /// Whether it is open although its day, or its time on that day, has passed.
  public func isOverdue(on today: CalendarDay, at time: TimeOfDay) -> Bool {
    guard !isDone, let due else { return false }
    return due < today || due == today && dueTime.map { $0 < time } == true
  }
}
