import Croft
public import Presentation
public import Reactive

extension CroftTodoRepository {
  /// A list as it is now, and again after each commit that changed it.
  ///
  /// - Complexity: To begin, as reading the list twice. For a commit that changed *c* of *n* items,
  ///   *c* of them are read; the new array is O(*n*), and shares with the last one what items hold.
  public func observe(in list: ItemList, _ filter: ItemFilter) -> Observable<[TodoItem]> {
    store.observe(TodoItem.listed(in: list, filter))
  }

  /// How a list comes to be what it is: first the list, then what each commit did to it.
  ///
  /// - Complexity: To begin, as reading the list twice. For a commit that changed *c* of *n* items
  ///   O(*c* log *n*); items are made when they are asked for.
  public func changes(
    in list: ItemList, _ filter: ItemFilter
  ) -> Observable<ListChange<TodoItem>> {
    store.observe(sections: TodoItem.sections(of: list, filter)) { tx in
      try tx.todoItems(in: list, filter)
    } then: { items, changes in
      let first = ItemSections(items).rows
      return changes.compactMap { change in
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
    store.observe(ListTally.self, list.tallyKey).map { Tally($0) }.distinctUntilChanged()
  }

  /// All groups with their tallies, now and again after each commit that changed them.
  ///
  /// They are read again, because only one transaction shows groups and tallies of one commit.
  ///
  /// - Complexity: O(*n*) in the number of groups, for each commit that changed a group or a tally.
  public func observeGroups() -> Observable<[GroupSummary]> {
    store.observe(changesOf: TodoGroup.all, ListTally.all) { tx in try tx.groupSummaries() }
  }

  /// The history as it is now, and again after each commit that changed it.
  ///
  /// - Complexity: O(*h*) for each command, with *h* commands that the history keeps.
  public func observeHistory() -> Observable<CommandHistory> {
    store.observe(changesOf: LoggedCommand.standing, LoggedCommand.undone) { tx in
      try tx.commandHistory()
    }
  }
}
