import Presentation
public import Reactive

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GroupModel {
  /// Makes a group of a filled form, with its first items.
  ///
  /// - Returns: The group as it was stored, with the name it really got.
  /// - Throws: `ValidationIssue` for the first thing that is missing; ``TodoError``.
  @discardableResult
  public func createGroup(_ draft: GroupDraft) throws -> TodoGroup {
    try perform(.submitGroup(draft)).groups[0]
  }

  /// Makes a group of a name; picture and items may be missing.
  ///
  /// - Returns: The group as it was stored, with the name it really got.
  /// - Throws: `ValidationIssue` for a name that will not do; ``TodoError``.
  @discardableResult
  public func addGroup(_ draft: GroupDraft) throws -> TodoGroup {
    try perform(.addGroup(draft)).groups[0]
  }

  /// Changes what a patch names in a group.
  ///
  /// - Parameters:
  ///   - id: The group.
  ///   - patch: What changes.
  ///   - shown: The group as the user saw it; nil where that does not matter.
  /// - Returns: What was done; the group is in it with the name it really got.
  /// - Throws: `ValidationIssue` for a name that will not do; ``TodoError``; with `shown`,
  ///   ``TodoError/changedSince(_:)`` when somebody else has changed what the patch names.
  @discardableResult
  public func updateGroup(
    _ id: UUID, _ patch: GroupPatch, ifStill shown: TodoGroup? = nil
  ) throws -> CommandResult {
    try perform(.editGroup(id, patch, ifStill: shown))
  }

  /// Puts a group at a place among the groups.
  ///
  /// - Returns: The group afterwards.
  /// - Throws: ``TodoError``.
  @discardableResult
  public func moveGroup(_ id: UUID, to position: Position) throws -> CommandResult {
    try perform(.moveGroup(id, to: position))
  }

  /// Fetches a picture when subscribed: for a group, which then has it, or for a form.
  ///
  /// It sends the picture, after the commit where there is one, and completes. Where it
  /// fails the group keeps the picture it had.
  public func fetchImage(for group: UUID?) -> Observable<GroupImage> {
    Observable.just(group)
      .flatMapLatest { [images, storage] (group: UUID?) async throws -> GroupImage in
        let image = try await images.image(for: group ?? UUID())
        if let group {
          try await storage().repository.perform(.editGroup(group, GroupPatch(image: image)))
        }
        return image
      }
      .trackErrors(errors)
      .trackActivity(activity)
  }

  /// Notes what stands in the field that a dialog asks for.
  public func enter(_ text: String) {
    canConfirm = Validator<String, String>.title.validate(text).firstError == nil
  }

  /// Performs what the user does; an error of it is shown.
  func perform(_ action: TodoAction) throws -> CommandResult {
    try attempt { try $0.repository.perform(validating: action) }
  }

  /// Does something; an error of it is shown, and a success takes the one before away.
  func attempt<Value>(_ work: (LazyRepository.Opened) throws -> Value) throws -> Value {
    do {
      let value = try work(storage())
      errors.succeed()
      return value
    } catch {
      errors.report(error)
      throw error
    }
  }
}
