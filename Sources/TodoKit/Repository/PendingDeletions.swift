import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Deletions that wait for the user's yes.
///
/// What is deleted is settled when the question is asked: the ids, never a position on a list.
/// Whatever is added, moved or deleted while the question stands, a yes deletes exactly
/// what was asked about, or fails and deletes nothing.
///
/// ```swift
/// let question = try deletions.request(items: [swiped.id])
/// ask("Delete \(question.titles)?") { isYes in
///   if isYes { try deletions.confirm(question.token) } else { deletions.cancel(question.token) }
/// }
/// ```
///
/// Threads: any.
public final class PendingDeletions: Sendable {
  /// How many questions can stand at a time; the oldest is given up for another one.
  public static let countMax = 64

  private let repository: any TodoRepository
  /// The questions that stand, the oldest first; the mutex protects them.
  private let pending = Mutex<[PendingDeletion]>([])

  /// Makes a desk for questions about what a repository holds.
  public init(repository: any TodoRepository) {
    self.repository = repository
  }

  /// Asks for the deletion of items.
  ///
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  public func request(items ids: [UUID]) throws -> PendingDeletion {
    let items = try ids.unique.map { id in
      guard let item = try repository.item(id) else { throw TodoError.notFound(id) }
      return item
    }
    return note(group: nil, ids.unique, items.map(\.title))
  }

  /// Asks for the deletion of a group with its items.
  ///
  /// - Throws: ``TodoError/groupNotFound(_:)``.
  public func request(group id: UUID) throws -> PendingDeletion {
    guard let group = try repository.group(id) else { throw TodoError.groupNotFound(id) }
    let items = try repository.items(in: .group(id: id), .all)
    return note(group: id, items.map(\.id), [group.name])
  }

  /// Deletes what was asked about; the question is answered, whatever comes of it.
  ///
  /// - Returns: What went.
  /// - Throws: ``TodoError/noPendingDeletion(_:)`` for a question that was answered already;
  ///   ``TodoError/notFound(_:)``, ``TodoError/groupNotFound(_:)`` when something of it is gone;
  ///   ``TodoError/changedSince(_:)`` when the group holds other items than it did.
  @discardableResult
  public func confirm(_ token: UUID) throws -> DeletionReport {
    try DeletionReport(repository.perform(answered(token).intent))
  }

  /// Deletes what was asked about without blocking; throws as its twin does.
  @discardableResult
  public func confirm(_ token: UUID) async throws -> DeletionReport {
    try await DeletionReport(repository.perform(answered(token).intent))
  }

  /// Answers a question with no; one that was answered already stays so.
  public func cancel(_ token: UUID) {
    pending.withLock { $0.removeAll { $0.token == token } }
  }

  private func answered(_ token: UUID) throws -> PendingDeletion {
    let found = pending.withLock { pending -> PendingDeletion? in
      guard let index = pending.firstIndex(where: { $0.token == token }) else { return nil }
      return pending.remove(at: index)
    }
    guard let found else { throw TodoError.noPendingDeletion(token) }
    return found
  }

  private func note(group: UUID?, _ items: [UUID], _ titles: [String]) -> PendingDeletion {
    let question = PendingDeletion(token: UUID(), group: group, items: items, titles: titles)
    pending.withLock { pending in
      if pending.count == Self.countMax { pending.removeFirst() }
      pending.append(question)
    }
    return question
  }
}

extension PendingDeletion {
  /// What a yes means.
  fileprivate var intent: TodoIntent {
    group.map { .deleteGroup(id: $0, holding: items) } ?? .deleteItems(ids: items)
  }
}
