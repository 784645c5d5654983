import Croft
public import Presentation
public import Reactive

extension CroftTodoRepository {
  /// A list as it is now, and again after each commit that changed it.
  ///
  /// - Complexity: To begin, as reading the list twice. For a commit that changed *c* of *n* items,
  ///   *c* of them are read; the new array is O(*n*), and shares with the last one what items hold.
  public func observe(in list: ItemList, _ filter: ItemFilter) -> Observable<[TodoItem]> {
    let query = TodoItem.listed(in: list, filter)
    return store.live { tx in
      try tx.fetch(query)
    } then: { [store] first in
      store.changes(of: query)
        .scan(first) { told, change in told.following(change) }
        .startWith(first)
    }.distinctUntilChanged()
  }

  /// How a list comes to be what it is: first the list, then what each commit did to it.
  ///
  /// - Complexity: To begin, as reading the list twice. For a commit that changed *c* of *n* items
  ///   O(*c* log *n*); items are made when they are asked for.
  public func changes(
    in list: ItemList, _ filter: ItemFilter
  ) -> Observable<ListChange<TodoItem>> {
    store.live { tx in
      try tx.todoItems(in: list, filter)
    } then: { [store] items in
      let first = ItemSections(items).rows
      return store.changes(of: TodoItem.sections(of: list, filter))
        .compactMap { change in
          let told = ListChange(change) { ItemSection(isDone: $0).rawValue }
          guard told.isInitial else { return told }
          // What was committed since the first read, if anything was.
          return told.after == first ? nil : ListChange(from: first, to: told.after)
        }
        .startWith(ListChange(initial: first))
    }
  }

  /// A list's tally as it is now, and again after each commit that changed it.
  ///
  /// - Complexity: O(1) for each commit that changed it.
  public func observeTally(of list: ItemList) -> Observable<Tally> {
    store.live { tx in
      try tx.listTally(of: list)
    } then: { [store] first in
      store.changes(of: ListTally.self, list.tallyKey).map { Tally($0.new) }.startWith(first)
    }.distinctUntilChanged()
  }

  /// All groups with their tallies, now and again after each commit that changed them.
  ///
  /// They are read again, because only one transaction shows groups and tallies of one commit.
  ///
  /// - Complexity: O(*n*) in the number of groups, for each commit that changed a group or a tally.
  public func observeGroups() -> Observable<[GroupSummary]> {
    store.reread(
      after: store.changes(of: TodoGroup.all).map { _ in },
      store.changes(of: ListTally.all).map { _ in }
    ) { tx in try tx.groupSummaries() }
  }

  /// The history as it is now, and again after each commit that changed it.
  ///
  /// - Complexity: O(*h*) for each command, with *h* commands that the history keeps.
  public func observeHistory() -> Observable<CommandHistory> {
    store.reread(
      after: store.changes(of: LoggedCommand.standing).map { _ in },
      store.changes(of: LoggedCommand.undone).map { _ in }
    ) { tx in try tx.commandHistory() }
  }
}

extension Array where Element: Model {
  /// The objects after a change of a live query, of which only those that changed are made.
  ///
  /// - Complexity: O(*n*), of which each element that stays is a copy.
  fileprivate func following(_ change: ResultChange<Element>) -> [Element] {
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
