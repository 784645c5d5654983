import Croft
public import CroftFoundation
import CroftReactive
import Dispatch
public import Presentation
public import Reactive

/// A repository that keeps its items and groups in a store: on disk, or in memory.
///
/// On disk, what `perform` has returned is durable. Other processes, and other repositories, may
/// use the same file; their changes are in the next read, and observers get them.
///
/// Threads: any; the store serialises writers, and reads never wait for them. Observers are called
/// on one queue of the repository's own, one after the other, or on a scheduler.
public final class CroftTodoRepository: TodoRepository {
  private static let models: [any Model.Type] = [
    TodoGroup.self, TodoItem.self, ListTally.self, LoggedCommand.self, LoggedPortion.self,
    ItemEnding.self,
  ]

  let store: Store
  private let limits: HistoryLimits
  private let now: @Sendable () -> Date
  private let today: @Sendable () -> CalendarDay
  private let onProgress: (@Sendable (Int) throws -> Void)?
  private let unreadable: UnreadableItems
  /// The first value of an observable comes on the subscriber's thread, later ones on one queue.
  private let delivery: Delivery

  /// Opens the store at a path; makes it and its folder if they do not exist.
  ///
  /// A store made by an older program is upgraded: its items get order keys in
  /// the order of their creation, and are counted. A file that this user may not write to is opened for
  /// reading, and commands throw ``TodoError/readOnly``.
  ///
  /// - Parameters:
  ///   - path: The store's file; a relative path starts at the working directory.
  ///   - limits: How much history is kept for undo.
  ///   - now: The clock, for the stored times of changes.
  ///   - today: The current day of the user, from which repeated items get their next day; nil for
  ///     the day of the clock in the system's time zone.
  ///   - scheduler: Calls the observers after the first value, such as a scheduler of virtual time; nil for a
  ///     queue of the repository's own. It runs one action at a time.
  ///   - onProgress: Called within a change with the number of its rows so far, after each thousand.
  ///     An error that it throws ends the change, which is rolled back; it must not use the repository.
  ///   - onNotice: Called with conditions that are not errors but that a person should know, on the
  ///     thread that reads or writes, within the call, or on that of the observers; nil writes them to standard
  ///     error. Where somebody is told, an item that this version cannot read is left out by `items(in:_:)`,
  ///     `items(in:meeting:sortedBy:limit:)`, `page(_:)`, `overview(_:)`, `forEachPortion(in:meeting:sortedBy:_:)`,
  ///     `observe(_:)` and `observeOverview(_:)`. All other reads of it end with an error, also those of
  ///     `observe(in:_:)` and `changes(in:_:)`, and where nobody is told these too.
  /// - Throws: ``TodoError/folder(path:cause:)`` when the folder is missing and cannot be
  ///   made; ``TodoError/storage(_:)`` when the file is not a store, is damaged, is written
  ///   in a newer format or may not be opened. Such a file is left unchanged.
  public convenience init(
    path: String, limits: HistoryLimits = HistoryLimits(),
    now: @escaping @Sendable () -> Date = { .now },
    today: (@Sendable () -> CalendarDay)? = nil,
    scheduler: (any ImmediateSchedulerType)? = nil,
    onProgress: (@Sendable (Int) throws -> Void)? = nil,
    onNotice: (@Sendable (RepositoryNotice) -> Void)? = nil
  ) throws {
    let file = URL(filePath: path)
    let folder = file.deletingLastPathComponent().path
    do {
      // A folder that is made contains private data: nobody else may read it.
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw TodoError.folder(path: folder, cause: error)
    }
    try self.init(limits, now, today, scheduler, onProgress, onNotice) {
      let size = Self.byteCount(of: path)
      // A list of another user can be looked at.
      var options = Store.Options()
      options.isReadOnly = Self.mayOnlyBeRead(path)
      // After an import that was taken back most of the file is free. Smaller lists are not even looked into.
      let rule = CompactionRule()
      if let size, size >= rule.leastFileBytes { options.compaction = rule }
      let store = try Self.open(file, options) { onNotice?(.notCompacted(path: path)) }
      if let onNotice {
        store.onDiagnostic = { onNotice(RepositoryNotice($0)) }
        if size == 0 { onNotice(.emptyFile(path: path)) }
      }
      if try !options.isReadOnly && store.read({ tx in try tx.needsUpgrade() }) {
        try store.write { tx in try tx.upgrade() }
      }
      return store
    }
  }

  /// Makes an empty repository in memory, for tests, previews and trials.
  ///
  /// The parameters are those of a repository on disk.
  ///
  /// - Returns: The repository; its contents are deallocated with it.
  /// - Throws: ``TodoError/storage(_:)`` when the store cannot be made.
  public static func inMemory(
    limits: HistoryLimits = HistoryLimits(), now: @escaping @Sendable () -> Date = { .now },
    today: (@Sendable () -> CalendarDay)? = nil, scheduler: (any ImmediateSchedulerType)? = nil
  ) throws -> CroftTodoRepository {
    try CroftTodoRepository(limits, now, today, scheduler, nil, nil) {
      try Store.inMemory(models: models)
    }
  }

  /// Opens a list, also where its file cannot be made smaller: that needs room, a folder to write to and sound pages.
  private static func open(
    _ file: URL, _ options: Store.Options, orUncompacted told: () -> Void
  ) throws -> Store {
    do {
      return try Store.open(at: file, models: models, options: options)
    } catch {
      if options.compaction == nil { throw error }
      var options = options
      options.compaction = nil
      let store = try Store.open(at: file, models: models, options: options)
      told()
      return store
    }
  }

  /// The bytes of the file; 0 where an interrupted copy has left one without any, nil where there is none.
  private static func byteCount(of path: String) -> Int? {
    // A file that cannot be looked at cannot be opened either, and that is an error.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? UInt).map { Int($0) }
  }

  /// Whether there is a file that this user may read and not write to.
  private static func mayOnlyBeRead(_ path: String) -> Bool {
    let files = FileManager.default
    return files.isReadableFile(atPath: path) && !files.isWritableFile(atPath: path)
  }

  private init(
    _ limits: HistoryLimits, _ now: @escaping @Sendable () -> Date,
    _ today: (@Sendable () -> CalendarDay)?, _ scheduler: (any ImmediateSchedulerType)?,
    _ onProgress: (@Sendable (Int) throws -> Void)?,
    _ onNotice: (@Sendable (RepositoryNotice) -> Void)?,
    open: () throws -> Store
  ) throws {
    unreadable = UnreadableItems(onNotice)
    self.limits = limits
    self.today = today ?? { CalendarDay(now(), in: .current) }
    self.onProgress = onProgress
    self.now = now
    delivery = .immediate(
      then: scheduler.map { .scheduler($0) }
        ?? .queue(DispatchQueue(label: "todokit.repository")))
    store = try translatingErrors(open)
  }
}

// Commands.
extension CroftTodoRepository {
  /// Performs a command in one transaction.
  @discardableResult
  public func perform(_ command: TodoCommand) throws -> CommandResult {
    guard !command.isEmpty else { return CommandResult(command: command, isNoOp: true) }
    let executor = executor()
    return try translatingErrors { try store.write { try executor.executing(command, in: &$0) } }
  }

  /// Performs a command in one transaction without blocking.
  @discardableResult
  public func perform(_ command: TodoCommand) async throws -> CommandResult {
    guard !command.isEmpty else { return CommandResult(command: command, isNoOp: true) }
    let executor = executor()
    return try await translatingErrors {
      try await store.write { try executor.executing(command, in: &$0) }
    }
  }

  private func executor() -> CommandExecutor {
    CommandExecutor(now: now(), today: today, limits: limits, onProgress: onProgress)
  }
}

extension TodoCommand {
  /// Whether there is nothing to do, so that no transaction is needed.
  package var isEmpty: Bool {
    switch self {
    case .add(let groups, let items): groups.isEmpty && items.isEmpty
    case .editItems(let ids, _, _, _), .moveItems(let ids, _), .deleteItems(let ids): ids.isEmpty
    case .importItems(let groups, let items, let edits):
      groups.isEmpty && items.isEmpty && edits.isEmpty
    case .ifUnchanged(_, let command), .reusingGroups(let command): command.isEmpty
    default: false
    }
  }
}

// Reading: each is one transaction.
extension CroftTodoRepository {
  /// The item with the given id; nil when there is none.
  public func item(_ id: UUID) throws -> TodoItem? { try read { try $0.get(TodoItem.self, id) } }

  /// The items of a list, all read from one commit.
  public func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem] {
    try read { try $0.items(in: list, filter, unreadable: unreadable.tell) }
  }

  /// The items of all lists whose ids end in some digits.
  public func items(endingIn ending: ShortID) throws -> [TodoItem] {
    try read { try $0.items(endingIn: ending) }
  }

  /// The items of a list that satisfy all of some conditions, in a given order.
  public func items(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort, limit: Int?
  ) throws -> [TodoItem] {
    try read {
      try $0.items(
        in: list, meeting: conditions, sortedBy: sort, rows: limit.map { 0..<$0 },
        unreadable: unreadable.tell)
    }
  }

  /// The items that a front end shows of a list, all read from one commit.
  public func page(_ request: ListPage.Request) throws -> ListPage {
    try read { try $0.page(request, unreadable: unreadable.tell) }
  }

  /// A page with what is beside it, all read from one commit.
  public func overview(_ request: ListPage.Request) throws -> TodoOverview {
    try read { tx in
      var overview = try tx.overview(request, unreadable: unreadable.tell)
      overview.unsent = try tx.unsentCount()
      return overview
    }
  }

  /// Passes the items of a list, some at a time, all read from one commit.
  public func forEachPortion(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort,
    _ body: (_ items: [TodoItem], _ groups: [TodoGroup]) throws -> Void
  ) throws {
    // What the closure throws is no error of the store.
    var thrown: (any Error)?
    do {
      try read { tx in
        try tx.forEachPortion(
          in: list, meeting: conditions, sortedBy: sort, unreadable: unreadable.tell
        ) { items, groups in
          do {
            try body(items, groups)
          } catch {
            thrown = error
            throw error
          }
        }
      }
    } catch { throw thrown ?? error }
  }

  /// The states that items had before each change since a time, by their ids.
  public func itemStates(since time: Date) throws -> [UUID: [TodoItem]] {
    try read { try $0.itemStates(since: time) }
  }

  /// The group with the given id; nil when there is none.
  public func group(_ id: UUID) throws -> TodoGroup? {
    try read { try $0.get(TodoGroup.self, id) }
  }

  /// All groups with their tallies, in their order, all read from one commit.
  public func groups() throws -> [GroupSummary] { try read { try $0.groupSummaries() } }

  /// The groups that have a name in any case, by their ids.
  public func groups(named name: String) throws -> [TodoGroup] {
    try read { try $0.fetch(TodoGroup.named(name)) }
  }

  /// How many items a list contains, and how many of them are done.
  public func tally(of list: ItemList) throws -> Tally { try read { try $0.tally(of: list) } }

  /// Which commands can be undone and redone.
  public func history() throws -> CommandHistory { try read { try $0.commandHistory() } }

  /// How many items and groups have changes that other machines cannot get yet.
  public func unsentChanges() throws -> Int? {
    try read { try $0.unsentCount() }
  }

  /// Copies the last commit to another file.
  public func backUp(to path: String, replacesExisting: Bool) throws {
    try translatingErrors {
      // An earlier copy may be the only one that is sound.
      if replacesExisting, FileManager.default.fileExists(atPath: path) {
        let verification = try store.verify(keepingProblems: 1)
        // All objects can be had from a copy whose indexes do not fit them.
        if !verification.isMendedByRebuildingIndexes, let problem = verification.problems.first {
          throw StoreError.corrupt(model: nil, key: nil, reason: problem)
        }
      }
      try store.backup(to: URL(filePath: path), replacesExisting: replacesExisting)
    }
  }

  /// Makes the file of a list smaller, which no repository has open.
  ///
  /// - Returns: The bytes of the file before and afterwards.
  /// - Throws: ``TodoError/storage(_:)`` when a process has it open, or the disk has no room for a
  ///   copy; then nothing has changed.
  /// - Complexity: O(*n*) in the bytes of the file.
  public static func compact(at path: String) throws -> (before: Int, after: Int) {
    func size() throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return (attributes[.size] as? UInt).map { Int($0) } ?? 0
    }
    return try translatingErrors {
      let before = try size()
      try Store.compact(at: URL(filePath: path))
      return (before, try size())
    }
  }

  /// Makes a list usable that was not closed and whose journal is lost.
  ///
  /// Changes that only the journal had are given up. A list that was closed, or has its journal, loses nothing.
  /// All rows are checked afterwards, and indexes that do not fit them are rebuilt.
  ///
  /// - Throws: ``TodoError/storage(_:)`` when a page of the file is damaged, or a process has it open: then nothing
  ///   has changed. It is thrown also when a row is damaged, of a list that can be opened from then on.
  /// - Complexity: O(*n* log *n*) for *n* rows.
  public static func recover(at path: String) throws {
    try translatingErrors {
      let file = URL(filePath: path)
      try Store.recover(at: file)
      let store = try Store.open(at: file, models: models)
      let verification = try store.verify(keepingProblems: 1)
      if verification.isMendedByRebuildingIndexes {
        try store.rebuildIndexes()
      } else if let problem = verification.problems.first {
        throw StoreError.corrupt(model: nil, key: nil, reason: problem)
      }
    }
  }

  private func read<Value>(_ body: (inout ReadTransaction) throws -> Value) throws -> Value {
    try translatingErrors { try store.read(body) }
  }
}

// Observing. An observer retains the store, not the repository.
extension CroftTodoRepository {
  /// The items of a list, now and after each commit that changed them.
  ///
  /// An item that this version cannot read ends it with an error; `observe(_:)` leaves it out.
  ///
  /// - Complexity: First that of reading the list twice. Then for a commit that changed *c* of *n*
  ///   items, *c* of them are read; the new array takes O(*n*), and copies the other items from the
  ///   last one.
  public func observe(in list: ItemList, _ filter: ItemFilter) -> Observable<[TodoItem]> {
    store.rx.changes(of: TodoQueries.items(in: list, filter), on: delivery)
      .scan([]) { $0.applying($1) }.distinctUntilChanged().translatingErrors()
  }

  /// The items that a front end shows of a list, now and after each commit that changed them.
  ///
  /// - Complexity: One read of the page for each commit that changes rows that it read.
  public func observe(_ request: ListPage.Request) -> Observable<ListPage> {
    let request = ReadRequest { [unreadable] in
      try $0.page(request, unreadable: unreadable.tell)
    }
    return store.rx.observe(request, on: delivery).translatingErrors()
  }

  /// An overview, now and after each commit that changed anything in it.
  ///
  /// - Complexity: One read of the overview for each command, because each changes the history.
  public func observeOverview(_ request: ListPage.Request) -> Observable<TodoOverview> {
    let request = ReadRequest { [unreadable] in
      try $0.overview(request, unreadable: unreadable.tell)
    }
    return store.rx.observe(request, on: delivery).translatingErrors()
  }

  /// A list as its first state, and then as the changes of each commit.
  ///
  /// An item that this version cannot read ends it with an error; `observe(_:)` leaves it out.
  ///
  /// - Complexity: First that of reading the list twice. Then for a commit that changed *c* of *n*
  ///   items O(*c* log *n*); items are decoded when they are asked for.
  public func changes(
    in list: ItemList, _ filter: ItemFilter
  ) -> Observable<ListChange<TodoItem>> {
    store.rx.changes(of: TodoQueries.sections(of: list, filter), on: delivery)
      .map { change in ListChange(change) { ItemSection(isDone: $0).rawValue } }
      .translatingErrors()
  }

  /// A list's tally, now and after each commit that changed it.
  ///
  /// - Complexity: O(1) for each commit that changed it.
  public func observeTally(of list: ItemList) -> Observable<Tally> {
    store.rx.observe(ListTally.object(list.tallyKey), on: delivery).map { Tally($0) }
      .distinctUntilChanged().translatingErrors()
  }

  /// All groups with their tallies, now and after each commit that changed them.
  ///
  /// They are read again, because only one transaction shows groups and tallies of one commit.
  ///
  /// - Complexity: O(*n*) in the number of groups, for each commit that changed a group or a tally.
  public func observeGroups() -> Observable<[GroupSummary]> {
    store.rx.observe(ReadRequest { try $0.groupSummaries() }, on: delivery).translatingErrors()
  }

  /// The history, now and after each commit that changed it.
  ///
  /// - Complexity: O(*h*) for each command, with *h* commands that the history keeps.
  public func observeHistory() -> Observable<CommandHistory> {
    store.rx.observe(ReadRequest { try $0.commandHistory() }, on: delivery).translatingErrors()
  }
}

extension Observable {
  /// The same elements; an error of the store becomes the cause of one of this module's.
  fileprivate func translatingErrors() -> Observable<Element> {
    self.catch { .error(TodoError.translating($0)) }
  }
}

private func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
  do { return try body() } catch { throw TodoError.translating(error) }
}

private func translatingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
  do { return try await body() } catch { throw TodoError.translating(error) }
}

extension TodoError {
  /// The error of this module for one of the store; a cancellation is not an error of the store.
  fileprivate static func translating(_ error: any Error) -> any Error {
    if error is TodoError || error is CancellationError { return error }
    if case StoreError.readOnly = error { return TodoError.readOnly }
    return TodoError.storage(error)
  }
}

extension [TodoItem] {
  /// The items after a change of a live query; only the items that changed are decoded.
  ///
  /// - Complexity: O(*n*); elements that did not change are copied.
  fileprivate func applying(_ change: ResultChange<TodoItem>) -> [TodoItem] {
    guard !change.isInitial else { return Array(change.after) }
    let gone = Set(change.deletions + change.modifications + change.moves.map(\.from))
    let new = Set(change.insertions + change.modificationsAfter + change.moves.map(\.to))
    var staying = indices.lazy.filter { !gone.contains($0) }.makeIterator()
    return change.after.indices.map { index in
      guard !new.contains(index), let old = staying.next() else { return change.after[index] }
      return self[old]
    }
  }
}
