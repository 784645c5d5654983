/// An open list and what a front end shows beside it, all of one commit.
public struct TodoOverview: Hashable, Sendable {
  /// The items of the open list.
  public var page: ListPage
  /// All groups with their tallies.
  public var groups: [GroupSummary]
  /// The tally of all items.
  public var all: Tally
  /// The tally of the items with a star.
  public var important: Tally
  /// The tally of the items without a group.
  public var ungrouped: Tally
  /// What can be undone and redone.
  public var history: CommandHistory

  /// Makes an overview of what was read.
  public init(
    page: ListPage, groups: [GroupSummary], all: Tally, important: Tally, ungrouped: Tally,
    history: CommandHistory
  ) {
    (self.page, self.groups, self.history) = (page, groups, history)
    (self.all, self.important, self.ungrouped) = (all, important, ungrouped)
  }

  /// The group of a list; nil for a list of another kind, or of a deleted group.
  public func group(of list: ItemList) -> TodoGroup? {
    groups.first { $0.id == list.groupID }?.group
  }

  /// The tally of a list; nil for a group that does not exist any more.
  public func tally(of list: ItemList) -> Tally? {
    switch list {
    case .all: all
    case .important: important
    case .ungrouped: ungrouped
    case .group(let id): groups.first { $0.id == id }?.tally
    }
  }
}
