public import Presentation
public import Reactive

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The only door to stored items and groups.
///
/// Everything that changes them is an intent: one transaction, which is done as a whole, or
/// throws and has changed nothing, and one step of undo. The verbs (`add`, `setDone`,
/// `createGroup`, ...) are short ways to write intents. Errors are ``TodoError``s.
///
/// Items come open ones first, then done ones; each part by `order`, then by `createdAt`, then by
/// `id`. Groups come by `order`, then by `id`.
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
/// Observers are given the current value during the subscription, on the subscriber's thread, and
/// later ones in the order of their commits, each as one commit left it: on a thread of the
/// repository's choosing, maybe after the verb has returned that made the commit. All observers of
/// a repository are called one after the other, holding no lock: they may call any verb, subscribe
/// and dispose. Who falls behind gets the latest value. A commit that left the value as it was
/// delivers nothing. Commits of others on the same file are delivered too. Nothing is read and
/// nothing is noted while nobody observes. A failed read ends the stream with its error; whoever
/// wants to go on subscribes again.
///
/// Threads: any, and several at a time.
public protocol TodoRepository: AnyObject, Sendable {
  /// Does what an intent says.
  ///
  /// - Returns: What became of it.
  /// - Throws: ``TodoError/notFound(_:)``, ``TodoError/groupNotFound(_:)`` for an unknown id;
  ///   ``TodoError/duplicate(_:)`` for a new thing whose id exists; ``TodoError/reservedName(_:)``
  ///   for a group named like a list that is none; ``TodoError/changedSince(_:)`` for a group
  ///   that does not hold what was named, and for what is not as the intent expects;
  ///   ``TodoError/nothingToUndo`` and ``TodoError/nothingToRedo``.
  @discardableResult
  func perform(_ intent: TodoIntent) throws -> TodoReceipt
  /// Does what an intent says without blocking; throws as its twin does.
  @discardableResult
  func perform(_ intent: TodoIntent) async throws -> TodoReceipt

  /// The item with the given id; nil when there is none.
  func item(_ id: UUID) throws -> TodoItem?
  /// The item with the given id, without blocking; nil when there is none.
  func item(_ id: UUID) async throws -> TodoItem?

  /// The items of a list, as one commit left them; of an unknown group none.
  ///
  /// - Complexity: O(n log n) in the number of items.
  func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem]
  /// The items of a list, without blocking.
  func items(in list: ItemList, _ filter: ItemFilter) async throws -> [TodoItem]

  /// The group with the given id; nil when there is none.
  func group(_ id: UUID) throws -> TodoGroup?
  /// The group with the given id, without blocking; nil when there is none.
  func group(_ id: UUID) async throws -> TodoGroup?

  /// All groups with their tallies, as one commit left them; empty, never nil, without groups.
  ///
  /// - Complexity: O(n log n) in the number of groups, whatever they hold.
  func groups() throws -> [GroupSummary]
  /// All groups with their tallies, without blocking.
  func groups() async throws -> [GroupSummary]

  /// How many items a list holds, and how many of them are done; nothing is counted.
  ///
  /// - Complexity: O(log n).
  func tally(of list: ItemList) throws -> Tally
  /// A list's tally, without blocking.
  func tally(of list: ItemList) async throws -> Tally

  /// Which commands can be taken back and done again.
  func history() throws -> CommandHistory
  /// Which commands can be taken back and done again, without blocking.
  func history() async throws -> CommandHistory

  /// A list as it is now, and again after each commit that changed it.
  func observe(in list: ItemList, _ filter: ItemFilter) -> Observable<[TodoItem]>
  /// How a list comes to be what it is: first the list, then what each commit did to it.
  ///
  /// It has the sections of ``ItemSection``, each only when it is not empty. Only the first change
  /// is initial; each later one begins where the one before ended.
  func changes(in list: ItemList, _ filter: ItemFilter) -> Observable<ListChange<TodoItem>>
  /// All groups with their tallies, now and again after each commit that changed them.
  func observeGroups() -> Observable<[GroupSummary]>
  /// A list's tally as it is now, and again after each commit that changed it.
  func observeTally(of list: ItemList) -> Observable<Tally>
  /// The history as it is now, and again after each commit that changed it.
  func observeHistory() -> Observable<CommandHistory>
}

extension TodoRepository {
  /// How a list comes to be what it is, found by comparing each list with the one before.
  ///
  /// - Complexity: O(n log n) for each commit that changed a list of n items.
  public func changes(
    in list: ItemList, _ filter: ItemFilter
  ) -> Observable<ListChange<TodoItem>> {
    observe(in: list, filter).map { ItemSections($0).rows }.listChanges()
  }

  /// The items of all groups and of none.
  public func items(_ filter: ItemFilter) throws -> [TodoItem] { try items(in: .all, filter) }

  /// The items of all groups and of none, without blocking.
  public func items(_ filter: ItemFilter) async throws -> [TodoItem] {
    try await items(in: .all, filter)
  }

  /// The items of all groups and of none, now and after each commit that changed them.
  public func observe(_ filter: ItemFilter) -> Observable<[TodoItem]> {
    observe(in: .all, filter)
  }

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
