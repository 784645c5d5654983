#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TodoRepository {
  /// Makes a group at the end of the groups.
  ///
  /// - Parameters:
  ///   - name: What was typed; the name that is stored is trimmed, numbered if it is taken, and
  ///     "Untitled Group" where there is nothing to read, which screens refuse before.
  ///   - color: The colour it is shown in; nil for some dark one.
  /// - Returns: The group as it was stored, with the name it really got.
  /// - Throws: ``TodoError/reservedName(_:)``.
  @discardableResult
  public func createGroup(name: String, color: RGBA? = nil) throws -> TodoGroup {
    try perform(.add(groups: [TodoGroup(name: name, color: color ?? .randomDark())], items: []))
      .groups[0]
  }

  /// Makes a group at the end of the groups without blocking; throws as its twin does.
  @discardableResult
  public func createGroup(name: String, color: RGBA? = nil) async throws -> TodoGroup {
    try await perform(
      .add(groups: [TodoGroup(name: name, color: color ?? .randomDark())], items: [])
    )
    .groups[0]
  }

  /// Changes what a patch names in a group, and nothing else.
  ///
  /// - Returns: The group afterwards, with the name it really got.
  /// - Throws: ``TodoError/groupNotFound(_:)``; ``TodoError/reservedName(_:)``.
  @discardableResult
  public func updateGroup(_ id: UUID, _ patch: GroupPatch) throws -> TodoGroup {
    try perform(.editGroup(id: id, patch: patch)).groups[0]
  }

  /// Changes what a patch names in a group without blocking; throws as its twin does.
  @discardableResult
  public func updateGroup(_ id: UUID, _ patch: GroupPatch) async throws -> TodoGroup {
    try await perform(.editGroup(id: id, patch: patch)).groups[0]
  }

  /// Changes what a patch names in a group, if that is still what the user was shown.
  ///
  /// - Parameter shown: The group as it was shown; properties that the patch does not name do not
  ///   count, and may have changed meanwhile.
  /// - Returns: The group afterwards, with the name it really got.
  /// - Throws: ``TodoError/groupNotFound(_:)``; ``TodoError/reservedName(_:)``;
  ///   ``TodoError/changedSince(_:)`` when a property that the patch names has another value.
  @discardableResult
  public func updateGroup(
    _ id: UUID, _ patch: GroupPatch, ifStill shown: TodoGroup
  ) throws -> TodoGroup {
    try perform(.editGroup(id: id, patch: patch, ifStill: patch.values(in: shown))).groups[0]
  }

  /// Changes a group that is still what was shown without blocking; throws as its twin does.
  @discardableResult
  public func updateGroup(
    _ id: UUID, _ patch: GroupPatch, ifStill shown: TodoGroup
  ) async throws -> TodoGroup {
    try await perform(.editGroup(id: id, patch: patch, ifStill: patch.values(in: shown))).groups[0]
  }

  /// Puts a group at a place among the groups.
  ///
  /// - Returns: The group afterwards.
  /// - Throws: ``TodoError/groupNotFound(_:)``.
  @discardableResult
  public func moveGroup(_ id: UUID, to place: Place) throws -> TodoGroup {
    try perform(.moveGroup(id: id, place: place)).groups[0]
  }

  /// Puts a group at a place without blocking; throws as its twin does.
  @discardableResult
  public func moveGroup(_ id: UUID, to place: Place) async throws -> TodoGroup {
    try await perform(.moveGroup(id: id, place: place)).groups[0]
  }

  /// Deletes a group with its items.
  ///
  /// Who asked the user first names what was shown in `holding`, so that nothing else goes.
  ///
  /// - Parameter holding: The ids of exactly the items that may go with it; nil for any.
  /// - Returns: What went.
  /// - Throws: ``TodoError/groupNotFound(_:)``; ``TodoError/changedSince(_:)`` when the group holds
  ///   other items.
  @discardableResult
  public func deleteGroup(_ id: UUID, holding: [UUID]? = nil) throws -> DeletionReport {
    try DeletionReport(perform(.deleteGroup(id: id, holding: holding)))
  }

  /// Deletes a group with its items without blocking; throws as its twin does.
  @discardableResult
  public func deleteGroup(_ id: UUID, holding: [UUID]? = nil) async throws -> DeletionReport {
    try await DeletionReport(perform(.deleteGroup(id: id, holding: holding)))
  }
}

extension DeletionReport {
  /// What a receipt of a deletion says to be gone.
  init(_ receipt: TodoReceipt) {
    self.init(groups: receipt.groups, items: receipt.items)
  }
}
