public import CroftFoundation
public import Presentation
public import Reactive

/// The only access to stored items and groups.
///
/// Everything that changes them is a ``TodoCommand``: one transaction, which is done as a whole, or
/// throws and has changed nothing, and one step of undo. `perform` is the one way to change
/// anything; front ends give it a ``TodoAction``, which is validated first. Errors of the storage
/// are ``TodoError``s.
///
/// Items come open ones first, then done ones; each part by `order`, then by `createdAt`, then by
/// `id`. Groups come by `order`, then by `id`.
///
/// Commands that name ids look at each id once, at its first position; the result is in
/// that order. Without ids nothing is done and observers get nothing.
///
/// Reads never wait for writers. `perform` exists twice: the plain one blocks its thread until the
/// change is committed; the `async` one never blocks a thread of the cooperative pool, and may throw
/// `CancellationError` instead of doing anything in a task that was cancelled before. A type whose
/// `perform` does not wait implements the plain one only, which serves as both.
///
/// Observers get the current value during the subscription, on the subscriber's thread. Later
/// values come in the order of their commits, each read from one commit, on a thread that the
/// repository chooses, and maybe after the `perform` that made the commit has returned. All
/// observers of a repository are called one after the other, without a lock: they may call any
/// method, subscribe and dispose. A slow observer gets the latest value. A commit that did not change
/// the value delivers nothing. Commits of others on the same file are delivered too. Nothing
/// is read while nobody observes. A failed read ends the stream with its error; an observer
/// that wants to continue subscribes again.
///
/// Threads: any, and several at a time.
public protocol TodoRepository: AnyObject, Sendable {
  /// Performs a command.
  ///
  /// - Throws: ``TodoError/notFound(_:)``, ``TodoError/groupNotFound(_:)`` for an unknown id;
  ///   ``TodoError/duplicate(_:)`` for a new thing whose id exists; ``TodoError/reservedName(_:)``
  ///   for a group with the name of a list other than a group; ``TodoError/changedSince(_:)`` if a
  ///   group does not contain exactly the named items, or a value is not the expected one;
  ///   ``TodoError/nothingToUndo`` and ``TodoError/nothingToRedo``; ``TodoError/notTheLastCommand``
  ///   for the undo of a step after which something else was done.
  @discardableResult
  func perform(_ command: TodoCommand) throws -> CommandResult
  /// Performs a command without blocking; throws as its twin does.
  @discardableResult
  func perform(_ command: TodoCommand) async throws -> CommandResult

  /// The item with the given id; nil when there is none.
  func item(_ id: UUID) throws -> TodoItem?

  /// The items of a list, all read from one commit; none for an unknown group.
  ///
  /// - Complexity: O(n log n) in the number of items.
  func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem]

  /// The items of all lists whose ids end in some digits, by their ids.
  ///
  /// - Complexity: O(log n) in the number of items, and what is found.
  func items(endingIn ending: ShortID) throws -> [TodoItem]

  /// The items of a list that satisfy all of some conditions, open ones first, in a given order.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - conditions: The conditions.
  ///   - sort: The order.
  ///   - limit: How many there are at most; nil for all.
  /// - Complexity: O(n) in the number of items; only what is returned is made, unless titles are
  ///   sorted.
  func items(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort, limit: Int?
  ) throws -> [TodoItem]

  /// Passes the items of a list that satisfy all of some conditions, some at a time.
  ///
  /// All of them are read from one commit.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - conditions: The conditions.
  ///   - sort: The order.
  ///   - body: Called with the next items in the given order, and with their groups; an error that
  ///     it throws ends the reading. It is called on the caller's thread, and must not call the
  ///     repository.
  /// - Complexity: O(n log n) in the number of items; of the items only those of one call are in
  ///   memory, unless they are sorted by title, and of the others the keys of their order.
  func forEachPortion(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort,
    _ body: (_ items: [TodoItem], _ groups: [TodoGroup]) throws -> Void
  ) throws

  /// The states that items had before each change since a time, by their ids.
  ///
  /// Only what the history keeps is known: items that were not changed since then, or so long ago that
  /// their commands are not kept, have none.
  ///
  /// - Complexity: O(n) in the bytes of the commands since then.
  func itemStates(since time: Date) throws -> [UUID: [TodoItem]]

  /// The items that a front end shows of a list, all read from one commit.
  ///
  /// - Complexity: O(n) in the number of items; only what is returned is made.
  func page(_ request: ListPage.Request) throws -> ListPage

  /// The same with the groups, the tallies of the other lists and the history, all read from one commit.
  ///
  /// - Complexity: That of the page and of the groups.
  func overview(_ request: ListPage.Request) throws -> TodoOverview

  /// The group with the given id; nil when there is none.
  func group(_ id: UUID) throws -> TodoGroup?

  /// The groups that have a name in any case, by their ids: one, unless only cases part them.
  ///
  /// - Complexity: O(log n) in the number of groups.
  func groups(named name: String) throws -> [TodoGroup]

  /// All groups with their tallies, all read from one commit; empty if there are no groups.
  ///
  /// - Complexity: O(n log n) in the number of groups, whatever they hold.
  func groups() throws -> [GroupSummary]

  /// How many items a list contains, and how many of them are done; nothing is counted.
  ///
  /// - Complexity: O(log n).
  func tally(of list: ItemList) throws -> Tally

  /// Which commands can be undone and redone.
  func history() throws -> CommandHistory

  /// How many items and groups have changes that other machines cannot get yet.
  ///
  /// - Returns: The number; nil for a list that is not shared.
  /// - Complexity: O(1).
  func unsentChanges() throws -> Int?

  /// Copies the last commit to another file, which is a list of its own; reads and commands continue.
  ///
  /// - Parameters:
  ///   - path: The new file; its folder must exist.
  ///   - replacesExisting: Whether a list of that name is replaced.
  /// - Throws: ``TodoError/storage(_:)`` where the file cannot be written, or would be replaced by a list that is
  ///   damaged; then nothing has changed.
  /// - Complexity: O(*n*) in the bytes of the file. Where a file is replaced, all rows are checked first.
  func backUp(to path: String, replacesExisting: Bool) throws

  /// The items of a list, now and after each commit that changed them.
  func observe(in list: ItemList, _ filter: ItemFilter) -> Observable<[TodoItem]>
  /// The items that a front end shows of a list, now and after each commit that changed them.
  func observe(_ request: ListPage.Request) -> Observable<ListPage>
  /// An overview, now and after each commit that changed anything in it: one value for a commit.
  func observeOverview(_ request: ListPage.Request) -> Observable<TodoOverview>
  /// A list as its first state, and then as the changes of each commit.
  ///
  /// It has the sections of ``ItemSection``, each only when it is not empty. Only the first change
  /// is initial; each later one begins where the one before ended.
  func changes(in list: ItemList, _ filter: ItemFilter) -> Observable<ListChange<TodoItem>>
  /// All groups with their tallies, now and after each commit that changed them.
  func observeGroups() -> Observable<[GroupSummary]>
  /// A list's tally, now and after each commit that changed it.
  func observeTally(of list: ItemList) -> Observable<Tally>
  /// The history, now and after each commit that changed it.
  func observeHistory() -> Observable<CommandHistory>
}

extension TodoRepository {
  /// Passes the items of a list all at once, with all groups.
  public func forEachPortion(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort,
    _ body: (_ items: [TodoItem], _ groups: [TodoGroup]) throws -> Void
  ) throws {
    let items = try items(in: list, meeting: conditions, sortedBy: sort, limit: nil)
    if !items.isEmpty { try body(items, try groups().map(\.group)) }
  }

  /// A list as its first state, and then as the differences to the state before.
  ///
  /// - Complexity: O(n log n) for each commit that changed a list of n items.
  public func changes(
    in list: ItemList, _ filter: ItemFilter
  ) -> Observable<ListChange<TodoItem>> {
    observe(in: list, filter).map { ItemSections($0).rows }.listChanges()
  }

  /// The items of all groups and of none.
  public func items(_ filter: ItemFilter) throws -> [TodoItem] { try items(in: .all, filter) }

  /// The items of a list that satisfy all of some conditions, in the list's own order.
  public func items(
    in list: ItemList, meeting conditions: [ItemCondition], limit: Int?
  ) throws -> [TodoItem] {
    try items(in: list, meeting: conditions, sortedBy: .manual, limit: limit)
  }

  /// The items of all groups and of none, now and after each commit that changed them.
  public func observe(_ filter: ItemFilter) -> Observable<[TodoItem]> {
    observe(in: .all, filter)
  }

  /// Adds an item when subscribed, and emits the whole list after the commit.
  ///
  /// It is cold: every subscription adds an item. It emits one element and completes, or fails with
  /// the error of the repository.
  ///
  /// - Complexity: O(n log n) in the number of items, for the list. Where that is not
  ///   needed, the command alone costs the same however many items there are.
  public func addTask(_ item: TodoItem) -> Observable<[TodoItem]> {
    .deferred {
      try self.perform(.add(item))
      return .just(try self.items(.all))
    }
  }

  /// Of a list that no other machine has; only a store can be shared.
  public func unsentChanges() throws -> Int? { nil }

  /// The states that items have had; a repository without the times of changes knows none.
  public func itemStates(since time: Date) throws -> [UUID: [TodoItem]] { [:] }
}
