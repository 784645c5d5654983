public import CroftFoundation
import Presentation
import Synchronization

/// Deletions that wait for the user's confirmation.
///
/// The ids to delete are fixed when the question is asked. Whatever is added, moved or deleted
/// before the answer, a yes deletes exactly the items of the question, or fails.
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
  /// The maximum number of open questions; a further one drops the oldest.
  public static let countMax = 64
  /// The maximum number of items in all open questions; a further question drops the oldest.
  ///
  /// A group's picture counts as an item for each kilobyte. A single question may have more: a large list is
  /// deleted after one question too.
  public static let itemsMax = 20_000

  private let repository: any TodoRepository
  /// The open questions, the oldest first; the mutex protects them.
  private let pending = Mutex<[PendingDeletion]>([])

  /// Makes an empty set of questions about the items and groups of a repository.
  public init(repository: any TodoRepository) {
    self.repository = repository
  }

  /// Asks for the deletion of items.
  ///
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  public func request(items ids: [UUID]) throws -> PendingDeletion {
    keep(try PendingDeletion(items: ids, in: repository))
  }

  /// Asks for the deletion of a group with its items.
  ///
  /// - Throws: ``TodoError/groupNotFound(_:)``.
  public func request(group id: UUID) throws -> PendingDeletion {
    keep(try PendingDeletion(group: id, in: repository))
  }

  /// Deletes the items of a question; the question is closed even if that fails.
  ///
  /// - Throws: ``TodoError/noPendingDeletion(_:)`` for a question that was answered already;
  ///   ``TodoError/notFound(_:)``, ``TodoError/groupNotFound(_:)`` when one of them was deleted;
  ///   ``TodoError/changedSince(_:)`` when one of them has changed, or the group has other items
  ///   than it had.
  @discardableResult
  public func confirm(_ token: UUID) throws -> CommandResult {
    try repository.perform(validating: answered(token).action)
  }

  /// Deletes the items of a question without blocking; throws as its twin does.
  @discardableResult
  public func confirm(_ token: UUID) async throws -> CommandResult {
    try await repository.perform(validating: answered(token).action)
  }

  /// An open question; nil if it is closed.
  public func question(_ token: UUID) -> PendingDeletion? {
    pending.withLock { pending in pending.first { $0.token == token } }
  }

  /// Answers a question with no; does nothing if it is closed.
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

  private func keep(_ question: PendingDeletion) -> PendingDeletion {
    pending.withLock { pending in
      pending.append(question)
      var size = pending.reduce(0) { $0 + $1.size }
      while pending.count > 1, pending.count > Self.countMax || size > Self.itemsMax {
        size -= pending.removeFirst().size
      }
    }
    return question
  }
}

/// A deletion that waits for the user's confirmation, with the ids that it would delete.
public struct PendingDeletion: Hashable, Codable, Identifiable, Sendable {
  /// The identity of the question, which is valid for one answer.
  public let token: UUID
  /// The group that would be deleted; nil if only items would.
  public let group: UUID?
  /// The items that would be deleted.
  public let items: [UUID]
  /// The texts of the question: the group's name, or the items' titles, at that time.
  public let titles: [String]
  /// The group or the items that the question names.
  public let shown: ExpectedState

  /// How much the question keeps, in items.
  fileprivate var size: Int {
    items.count + shown.groups.reduce(0) { $0 + ($1.image?.bytes.count ?? 0) >> 10 }
  }

  /// The token, so that a screen can present the question as an identifiable value.
  public var id: UUID { token }

  /// The action of a yes: deletes exactly these items as they were shown, or fails.
  public var action: TodoAction {
    .ifUnchanged(shown, then: group.map { .deleteGroup($0, holding: items) } ?? .delete(items))
  }

  /// Makes the question before the deletion of items.
  ///
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  public init(items ids: [UUID], in repository: any TodoRepository) throws {
    let items = try ids.unique.map { id in
      guard let item = try repository.item(id) else { throw TodoError.notFound(id) }
      return item
    }
    (token, group, shown) = (UUID(), nil, ExpectedState(items: items))
    (self.items, titles) = (items.map(\.id), items.map(\.title))
  }

  /// Makes the question before the deletion of a group with its items.
  ///
  /// - Throws: ``TodoError/groupNotFound(_:)``.
  public init(group id: UUID, in repository: any TodoRepository) throws {
    guard let group = try repository.group(id) else { throw TodoError.groupNotFound(id) }
    (token, self.group, shown) = (UUID(), id, ExpectedState(groups: [group]))
    items = try repository.items(in: .group(id: id), .all).map(\.id)
    titles = [group.name]
  }
}
