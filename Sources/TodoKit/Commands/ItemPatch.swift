public import CroftFoundation
import Presentation

/// A change of some properties of an item; properties that are nil are not changed.
///
/// Two patches of different properties can be applied in either order, so two windows
/// on one item do not undo each other's work. Where nil is a value itself there are two
/// levels: `patch.due = .some(nil)` takes the day away, as `null` does in JSON.
public struct ItemPatch: Hashable, Codable, Sendable {
  /// The title, which is stored unchanged: ``TodoAction`` applies the rules for titles.
  public var title: String?
  /// The note.
  public var note: String?
  /// The priority.
  public var priority: Priority?
  /// Whether it is done; `doneAt` is set accordingly, unless the patch has it too.
  public var isDone: Bool?
  /// Whether it has a star.
  public var isImportant: Bool?
  /// The group, or none.
  public var groupID: UUID??
  /// The day by which it is due, or none, which takes the time away too.
  public var due: CalendarDay??
  /// The time of that day, or none; an item without a day gets the current one.
  public var dueTime: TimeOfDay??
  /// Its recurrence, or none.
  public var repeats: RepeatRule??
  /// The day until which lists leave it out, or none.
  public var hiddenUntil: CalendarDay??
  /// How long it is expected to take, or nothing.
  public var estimate: Estimate??
  /// All tags, which replace the present ones.
  public var tags: [String]?
  /// Tags to append; a tag that it already has keeps its position.
  public var addedTags: [String]?
  /// Tags to remove, before others are added; tags that it does not have are ignored.
  public var removedTags: [String]?
  /// The order key itself; front ends send commands that move items instead.
  public var order: Int64?
  /// When it was done, or nothing.
  public var doneAt: Date??
  /// The id in a file of another program, or none.
  public var foreignID: String??
  /// Its record in that file, or none.
  public var foreignRecord: Data??

  /// Makes a patch that changes the given properties.
  public init(
    title: String? = nil, note: String? = nil, priority: Priority? = nil, isDone: Bool? = nil,
    isImportant: Bool? = nil, groupID: UUID?? = nil, due: CalendarDay?? = nil,
    dueTime: TimeOfDay?? = nil, repeats: RepeatRule?? = nil, hiddenUntil: CalendarDay?? = nil,
    tags: [String]? = nil, addedTags: [String]? = nil, removedTags: [String]? = nil,
    order: Int64? = nil, doneAt: Date?? = nil, foreignID: String?? = nil,
    foreignRecord: Data?? = nil, estimate: Estimate?? = nil
  ) {
    self.title = title
    self.note = note
    self.priority = priority
    self.isDone = isDone
    self.isImportant = isImportant
    self.groupID = groupID
    self.due = due
    self.dueTime = dueTime
    self.repeats = repeats
    self.hiddenUntil = hiddenUntil
    self.estimate = estimate
    self.tags = tags
    self.addedTags = addedTags
    self.removedTags = removedTags
    self.order = order
    self.doneAt = doneAt
    self.foreignID = foreignID
    self.foreignRecord = foreignRecord
  }

  /// The patch that makes one state of an item out of another.
  package init(from old: TodoItem, to new: TodoItem) {
    func change<Value: Equatable>(_ value: KeyPath<TodoItem, Value>) -> Value? {
      old[keyPath: value] == new[keyPath: value] ? nil : new[keyPath: value]
    }
    // Strings can be equal in Swift and differ in their bytes, which are stored.
    title = old.title.utf8.elementsEqual(new.title.utf8) ? nil : new.title
    note = old.note.utf8.elementsEqual(new.note.utf8) ? nil : new.note
    priority = change(\.priority)
    isDone = change(\.isDone)
    isImportant = change(\.isImportant)
    groupID = change(\.groupID)
    due = change(\.due)
    dueTime = change(\.dueTime)
    repeats = change(\.repeats)
    hiddenUntil = change(\.hiddenUntil)
    estimate = change(\.estimate)
    tags = old.tags.elementsEqual(new.tags) { $0.utf8.elementsEqual($1.utf8) } ? nil : new.tags
    order = change(\.order)
    // Set together with `isDone`, because it would be the current time otherwise.
    doneAt = isDone == nil ? change(\.doneAt) : .some(new.doneAt)
    let isSameID = (old.foreignID?.utf8).map(Array.init) == (new.foreignID?.utf8).map(Array.init)
    foreignID = isSameID ? nil : .some(new.foreignID)
    foreignRecord = change(\.foreignRecord)
  }

  /// The item's values of the properties that the patch has.
  func values(in item: TodoItem) -> ItemPatch {
    ItemPatch(
      title: title.map { _ in item.title }, note: note.map { _ in item.note },
      priority: priority.map { _ in item.priority }, isDone: isDone.map { _ in item.isDone },
      isImportant: isImportant.map { _ in item.isImportant },
      groupID: groupID.map { _ in item.groupID }, due: due.map { _ in item.due },
      dueTime: dueTime.map { _ in item.dueTime }, repeats: repeats.map { _ in item.repeats },
      hiddenUntil: hiddenUntil.map { _ in item.hiddenUntil },
      tags: tags.map { _ in item.tags }, order: order.map { _ in item.order },
      doneAt: doneAt.map { _ in item.doneAt }, foreignID: foreignID.map { _ in item.foreignID },
      foreignRecord: foreignRecord.map { _ in item.foreignRecord },
      estimate: estimate.map { _ in item.estimate })
  }

  /// Whether an item has the values in the patch.
  package func holds(in item: TodoItem) -> Bool {
    var patched = item
    apply(to: &patched, now: item.createdAt)
    return ItemPatch(from: item, to: patched) == ItemPatch()
  }

  /// Changes an item.
  ///
  /// - Parameter now: The new `doneAt` of an item that the patch marks done.
  package func apply(to item: inout TodoItem, now: Date) {
    if let title { item.title = title }
    if let note { item.note = note }
    if let priority { item.priority = priority }
    if let isDone, isDone != item.isDone {
      item.isDone = isDone
      item.doneAt = isDone ? now : nil
    }
    if let isImportant { item.isImportant = isImportant }
    if let groupID { item.groupID = groupID }
    if let due { item.due = due }
    if case .some(nil) = due { item.dueTime = nil }
    if let dueTime { item.dueTime = dueTime }
    if let repeats { item.repeats = repeats }
    if let hiddenUntil { item.hiddenUntil = hiddenUntil }
    if let estimate { item.estimate = estimate }
    if let tags { item.tags = tags }
    // Texts are compared by canonical equivalence, so another normal form is the same tag.
    if let removedTags { item.tags.removeAll { removedTags.contains($0) } }
    if let addedTags { item.tags = (item.tags + addedTags).unique }
    if let order { item.order = order }
    if let doneAt { item.doneAt = doneAt }
    if let foreignID { item.foreignID = foreignID }
    if let foreignRecord { item.foreignRecord = foreignRecord }
  }
}

extension KeyedDecodingContainer {
  /// A value of a patch, which has two levels: nil without its key, and `.some(nil)` for null.
  ///
  /// The decoding that the compiler writes for patches calls it for each property that is such a value.
  func decodeIfPresent<Value: Decodable>(
    _ type: Value?.Type, forKey key: Key
  ) throws -> Value?? {
    contains(key) ? .some(try decodeIfPresent(Value.self, forKey: key)) : nil
  }
}
