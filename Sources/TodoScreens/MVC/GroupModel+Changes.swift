public import CroftFoundation
import Presentation
public import Reactive
public import TodoKit

extension GroupModel {
  /// Performs an action of the user; its error is shown, and a success removes the last error.
  ///
  /// - Returns: The objects afterwards: groups with their final names, items in the order of the ids.
  /// - Throws: `ValidationIssue` for the first part that is missing or invalid;
  ///   ``/TodoKit/TodoError``.
  @discardableResult
  public func perform(_ action: TodoAction) throws -> CommandResult {
    try attempt { try $0.repository.perform(validating: action) }
  }

  /// Fetches a picture when subscribed, and stores it in a group if one is given.
  ///
  /// It emits the picture, after the commit if there is one, and completes. If it fails, the group
  /// keeps the picture that it had.
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

  /// Takes the text in the field of a dialog.
  public func enter(_ text: String) {
    canConfirm = Validator<String, String>.title.validate(text).firstError == nil
  }

  /// Runs an operation; its error is shown, and a success removes the last error.
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

  /// Asks whether to delete a group with its items; this replaces an earlier question.
  @discardableResult
  public func askToDelete(group id: UUID) throws -> PendingDeletion {
    try ask { try $0.request(group: id) }
  }

  /// Asks whether to delete items; this replaces an earlier question.
  @discardableResult
  public func askToDelete(items ids: [UUID]) throws -> PendingDeletion {
    try ask { try $0.request(items: ids) }
  }

  /// Deletes the objects in a question, and removes the question even if that fails.
  ///
  /// - Returns: What was deleted, and its index before.
  /// - Throws: ``/TodoKit/TodoError``.
  @discardableResult
  public func confirmDeletion(_ token: UUID) throws -> GroupEvents.Deletion {
    // Before anything is committed: a dialog that is drawn once more would flash.
    closeQuestion(token)
    let shown = (groups: groups.value ?? [], items: shownGroup?.items.value?.all ?? [])
    return try attempt { storage in
      let report = try storage.deletions.confirm(token)
      let index =
        if let group = report.groups.first {
          shown.groups.firstIndex { $0.id == group.id }
        } else {
          shown.items.firstIndex { $0.id == report.items.first?.id }
        }
      return GroupEvents.Deletion(report: report, index: index)
    }
  }

  /// Answers a question with no; one that was answered already stays so.
  ///
  /// - Throws: ``/TodoKit/TodoError`` when the storage cannot be opened.
  public func cancelDeletion(_ token: UUID) throws {
    closeQuestion(token)
    try attempt { $0.deletions.cancel(token) }
  }

  private func ask(
    _ request: (PendingDeletions) throws -> PendingDeletion
  ) throws -> PendingDeletion {
    let (new, deletions) = try attempt { (try request($0.deletions), $0.deletions) }
    if let question { deletions.cancel(question.token) }
    // Last of all: a view may answer while it draws the question.
    question = new
    return new
  }

  private func closeQuestion(_ token: UUID) {
    if question?.token == token { question = nil }
  }
}
