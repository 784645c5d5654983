import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Deletions that wait for the user's yes.
///
/// What is deleted is fixed when the question is asked: the ids, never an index of a list.
/// Whatever is added, moved or deleted before the answer, a yes deletes exactly
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
  /// How many questions can be open at a time; the oldest is dropped for another one.
  public static let countMax = 64

  private let repository: any TodoRepository
  /// The open questions, the oldest first; the mutex protects them.
  private let pending = Mutex<[PendingDeletion]>([])

  /// Makes an empty set of questions about what a repository contains.
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

  /// Deletes what was asked about; the question is answered, whatever comes of it.
  ///
  /// - Returns: What was deleted.
  /// - Throws: ``TodoError/noPendingDeletion(_:)`` for a question that was answered already;
  ///   ``TodoError/notFound(_:)``, ``TodoError/groupNotFound(_:)`` when something of it is gone;
  ///   ``TodoError/changedSince(_:)`` when the group holds other items than it did.
  @discardableResult
  public func confirm(_ token: UUID) throws -> CommandResult {
    try repository.perform(validating: answered(token).action)
  }

  /// Deletes what was asked about without blocking; throws as its twin does.
  @discardableResult
  public func confirm(_ token: UUID) async throws -> CommandResult {
    try await repository.perform(validating: answered(token).action)
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

  private func keep(_ question: PendingDeletion) -> PendingDeletion {
    pending.withLock { pending in
      if pending.count == Self.countMax { pending.removeFirst() }
      pending.append(question)
    }
    return question
  }
}

/// A deletion that waits for the user's yes: what it would delete, fixed when it was asked for.
public struct PendingDeletion: Hashable, Codable, Identifiable, Sendable {
  /// What the answer names; it is good for one answer.
  public let token: UUID
  /// The group that would go; nil where only items would.
  public let group: UUID?
  /// The items that would go, exactly.
  public let items: [UUID]
  /// What the question names: the group's name, or the items' titles, as they were.
  public let titles: [String]

  /// The token, so that a screen can show the question as an item of its own.
  public var id: UUID { token }

  /// What a yes means: deletes exactly what was asked about, or fails.
  public var action: TodoAction {
    group.map { .deleteGroup($0, holding: items) } ?? .delete(items)
  }

  /// Makes the question before the deletion of items.
  ///
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  public init(items ids: [UUID], in repository: any TodoRepository) throws {
    let items = try ids.unique.map { id in
      guard let item = try repository.item(id) else { throw TodoError.notFound(id) }
      return item
    }
    self.init(token: UUID(), group: nil, items: items.map(\.id), titles: items.map(\.title))
  }

  /// Makes the question before the deletion of a group with its items.
  ///
  /// - Throws: ``TodoError/groupNotFound(_:)``.
  public init(group id: UUID, in repository: any TodoRepository) throws {
    guard let group = try repository.group(id) else { throw TodoError.groupNotFound(id) }
    let items = try repository.items(in: .group(id: id), .all)
    self.init(token: UUID(), group: id, items: items.map(\.id), titles: [group.name])
  }

  private init(token: UUID, group: UUID?, items: [UUID], titles: [String]) {
    self.token = token
    self.group = group
    self.items = items
    self.titles = titles
  }
}
