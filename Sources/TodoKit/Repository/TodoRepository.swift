public import Reactive

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The only door to stored items.
///
/// Each verb is one transaction: it is done as a whole, or it throws and nothing
/// has changed. Errors are ``TodoError``s. Items come open ones first, then done
/// ones; each part by `createdAt`, then by `id`.
///
/// Verbs that take ids look at each id once, at its first place; they answer in
/// that order. No ids: nothing is done and nothing is said to observers.
///
/// Every verb exists twice. The plain one blocks its thread until the change is
/// committed; the `async` one never blocks a thread of the cooperative pool. A type
/// whose verbs do not wait for anything implements the plain ones only, which
/// serve as both. In a task that was cancelled before the change began, an `async` verb
/// may throw `CancellationError` instead of doing anything.
///
/// Threads: any, and several at a time.
public protocol TodoRepository: AnyObject, Sendable {
  /// Stores a new item.
  ///
  /// - Throws: ``TodoError/duplicate(_:)`` when an item with its id exists.
  func add(_ item: TodoItem) throws
  /// Stores a new item without blocking; throws as its twin does.
  func add(_ item: TodoItem) async throws

  /// The item with the given id; nil when there is none.
  func item(_ id: UUID) throws -> TodoItem?
  /// The item with the given id, without blocking; nil when there is none.
  func item(_ id: UUID) async throws -> TodoItem?

  /// The items of a list, as one commit left them.
  ///
  /// - Complexity: O(n log n) in the number of items.
  func items(_ filter: ItemFilter) throws -> [TodoItem]
  /// The items of a list, without blocking.
  func items(_ filter: ItemFilter) async throws -> [TodoItem]

  /// Marks items done or open again; those that are so already stay so.
  ///
  /// - Returns: The items afterwards, in the order of the ids.
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  func setDone(_ ids: [UUID], _ isDone: Bool) throws -> [TodoItem]
  /// Marks items done or open without blocking; throws as its twin does.
  func setDone(_ ids: [UUID], _ isDone: Bool) async throws -> [TodoItem]

  /// Gives items a priority.
  ///
  /// - Returns: The items afterwards, in the order of the ids.
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  func setPriority(_ ids: [UUID], _ priority: Priority) throws -> [TodoItem]
  /// Gives items a priority without blocking; throws as its twin does.
  func setPriority(_ ids: [UUID], _ priority: Priority) async throws -> [TodoItem]

  /// Gives an item another title, as it is: rules for titles stand above this door.
  ///
  /// - Returns: The item afterwards.
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  func retitle(_ id: UUID, to title: String) throws -> TodoItem
  /// Gives an item another title without blocking; throws as its twin does.
  func retitle(_ id: UUID, to title: String) async throws -> TodoItem

  /// Deletes items.
  ///
  /// - Returns: The items as they were, in the order of the ids.
  /// - Throws: ``TodoError/notFound(_:)`` for an unknown id.
  func delete(_ ids: [UUID]) throws -> [TodoItem]
  /// Deletes items without blocking; throws as its twin does.
  func delete(_ ids: [UUID]) async throws -> [TodoItem]

  /// A list as it is now, and again after each commit that changed it.
  ///
  /// The current list comes during the subscription, later ones in the order of
  /// their commits: before the verb returns that made the commit, or, for a verb
  /// called from inside a delivery, right after that delivery. While several
  /// threads commit, one of them delivers for all, and commits may share a delivery.
  /// A commit that left the list as it was delivers nothing.
  ///
  /// The list is read only while somebody observes. A failed read ends the stream with
  /// its error; whoever wants to go on subscribes again.
  ///
  /// Threads: delivers on a thread that commits, holding no lock.
  func observe(_ filter: ItemFilter) -> Observable<[TodoItem]>
}

extension TodoRepository {
  /// Adds an item when subscribed, and answers with the whole list after the commit.
  ///
  /// Cold: every subscription is an addition of its own. One element, then
  /// completed; an error travels in the stream.
  ///
  /// - Complexity: O(n log n) in the number of items, for the list. Where that is not
  ///   needed, `add` costs the same however many items there are.
  public func addTask(_ item: TodoItem) -> Observable<[TodoItem]> {
    Observable.create { observer in
      do {
        try self.add(item)
        observer.onNext(try self.items(.all))
        observer.onCompleted()
      } catch {
        observer.onError(error)
      }
      return Disposables.create()
    }
  }
}
