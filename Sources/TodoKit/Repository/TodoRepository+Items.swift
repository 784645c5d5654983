#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TodoRepository {
  /// Stores a new item; without a place it goes to the end.
  ///
  /// - Returns: The item as it was stored.
  /// - Throws: ``TodoError/duplicate(_:)`` when an item with its id exists;
  ///   ``TodoError/groupNotFound(_:)``.
  @discardableResult
  public func add(_ item: TodoItem) throws -> TodoItem {
    try perform(.add(groups: [], items: [item])).items[0]
  }

  /// Stores a new item without blocking; throws as its twin does.
  @discardableResult
  public func add(_ item: TodoItem) async throws -> TodoItem {
    try await perform(.add(groups: [], items: [item])).items[0]
  }

  /// Stores new items in one transaction.
  ///
  /// - Returns: The items as they were stored.
  /// - Throws: As for one item.
  @discardableResult
  public func add(contentsOf items: [TodoItem]) throws -> [TodoItem] {
    try perform(.add(groups: [], items: items)).items
  }

  /// Stores new items in one transaction without blocking; throws as its twin does.
  @discardableResult
  public func add(contentsOf items: [TodoItem]) async throws -> [TodoItem] {
    try await perform(.add(groups: [], items: items)).items
  }

  /// Changes what a patch names in each item, and nothing else.
  ///
  /// - Returns: The items afterwards, in the order of the ids.
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id; ``TodoError/groupNotFound(_:)``.
  @discardableResult
  public func edit(_ ids: [UUID], _ patch: ItemPatch) throws -> [TodoItem] {
    try perform(.editItems(ids: ids, patch: patch)).items
  }

  /// Changes what a patch names in each item without blocking; throws as its twin does.
  @discardableResult
  public func edit(_ ids: [UUID], _ patch: ItemPatch) async throws -> [TodoItem] {
    try await perform(.editItems(ids: ids, patch: patch)).items
  }

  /// Changes what a patch names in an item, if that is still what the user was shown.
  ///
  /// - Parameter shown: The item as it was shown; properties that the patch does not name do not
  ///   count, and may have changed meanwhile.
  /// - Returns: The item afterwards.
  /// - Throws: ``TodoError/notFound(_:)``; ``TodoError/groupNotFound(_:)``;
  ///   ``TodoError/changedSince(_:)`` when a property that the patch names has another value.
  @discardableResult
  public func edit(
    _ id: UUID, _ patch: ItemPatch, ifStill shown: TodoItem
  ) throws -> TodoItem {
    try perform(.editItems(ids: [id], patch: patch, ifStill: patch.values(in: shown))).items[0]
  }

  /// Changes an item that is still what was shown without blocking; throws as its twin does.
  @discardableResult
  public func edit(
    _ id: UUID, _ patch: ItemPatch, ifStill shown: TodoItem
  ) async throws -> TodoItem {
    try await perform(.editItems(ids: [id], patch: patch, ifStill: patch.values(in: shown)))
      .items[0]
  }

  /// Marks items done or open again; those that are so already stay so.
  ///
  /// - Returns: The items afterwards, in the order of the ids.
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  public func setDone(_ ids: [UUID], _ isDone: Bool) throws -> [TodoItem] {
    try edit(ids, ItemPatch(isDone: isDone))
  }

  /// Marks items done or open without blocking; throws as its twin does.
  public func setDone(_ ids: [UUID], _ isDone: Bool) async throws -> [TodoItem] {
    try await edit(ids, ItemPatch(isDone: isDone))
  }

  /// Gives items a star or takes it away; those that have it already keep it.
  ///
  /// - Returns: The items afterwards, in the order of the ids.
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  public func setImportant(_ ids: [UUID], _ isImportant: Bool) throws -> [TodoItem] {
    try edit(ids, ItemPatch(isImportant: isImportant))
  }

  /// Gives items a star or takes it away without blocking; throws as its twin does.
  public func setImportant(_ ids: [UUID], _ isImportant: Bool) async throws -> [TodoItem] {
    try await edit(ids, ItemPatch(isImportant: isImportant))
  }

  /// Gives items a priority.
  ///
  /// - Returns: The items afterwards, in the order of the ids.
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  public func setPriority(_ ids: [UUID], _ priority: Priority) throws -> [TodoItem] {
    try edit(ids, ItemPatch(priority: priority))
  }

  /// Gives items a priority without blocking; throws as its twin does.
  public func setPriority(_ ids: [UUID], _ priority: Priority) async throws -> [TodoItem] {
    try await edit(ids, ItemPatch(priority: priority))
  }

  /// Gives an item another title, as it is: rules for titles stand above this door.
  ///
  /// - Returns: The item afterwards.
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  public func retitle(_ id: UUID, to title: String) throws -> TodoItem {
    try edit([id], ItemPatch(title: title))[0]
  }

  /// Gives an item another title without blocking; throws as its twin does.
  public func retitle(_ id: UUID, to title: String) async throws -> TodoItem {
    try await edit([id], ItemPatch(title: title))[0]
  }

  /// Puts items side by side, in the order of their ids, at a place.
  ///
  /// All items stand on one line, of which each list shows a part: an item that is put before
  /// another stands before it in every list that shows both.
  ///
  /// - Returns: The items afterwards, in the order of the ids.
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  @discardableResult
  public func move(_ ids: [UUID], to place: Place) throws -> [TodoItem] {
    try perform(.moveItems(ids: ids, place: place)).items
  }

  /// Puts items at a place without blocking; throws as its twin does.
  @discardableResult
  public func move(_ ids: [UUID], to place: Place) async throws -> [TodoItem] {
    try await perform(.moveItems(ids: ids, place: place)).items
  }

  /// Deletes items.
  ///
  /// - Returns: The items as they were, in the order of the ids.
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  public func delete(_ ids: [UUID]) throws -> [TodoItem] {
    try perform(.deleteItems(ids: ids)).items
  }

  /// Deletes items without blocking; throws as its twin does.
  public func delete(_ ids: [UUID]) async throws -> [TodoItem] {
    try await perform(.deleteItems(ids: ids)).items
  }

  /// Deletes what a list holds, in one transaction.
  ///
  /// - Returns: The items as they were.
  @discardableResult
  public func deleteAll(in list: ItemList, _ filter: ItemFilter = .all) throws -> [TodoItem] {
    try perform(.deleteAll(list: list, filter: filter)).items
  }

  /// Deletes what a list holds without blocking.
  @discardableResult
  public func deleteAll(in list: ItemList, _ filter: ItemFilter = .all) async throws -> [TodoItem] {
    try await perform(.deleteAll(list: list, filter: filter)).items
  }
}
