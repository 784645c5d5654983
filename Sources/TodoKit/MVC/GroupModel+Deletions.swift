import Presentation
import Reactive

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GroupModel {
  /// Asks for the deletion of a group with its items, in place of what was asked before.
  ///
  /// - Throws: ``TodoError``.
  @discardableResult
  public func askToDelete(group id: UUID) throws -> PendingDeletion {
    try ask { try $0.request(group: id) }
  }

  /// Asks for the deletion of items, in place of what was asked before.
  ///
  /// - Throws: ``TodoError``.
  @discardableResult
  public func askToDelete(items ids: [UUID]) throws -> PendingDeletion {
    try ask { try $0.request(items: ids) }
  }

  /// Deletes what was asked about; the question goes away, whatever comes of it.
  ///
  /// - Returns: What went, and where it stood.
  /// - Throws: ``TodoError``.
  @discardableResult
  public func confirmDeletion(_ token: UUID) throws -> GroupEvents.Deletion {
    // Before anything is committed: a dialog that is drawn once more would flash.
    settle(token)
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
  /// - Throws: ``TodoError`` when the storage cannot be opened.
  public func cancelDeletion(_ token: UUID) throws {
    settle(token)
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

  private func settle(_ token: UUID) {
    if question?.token == token { question = nil }
  }
}
