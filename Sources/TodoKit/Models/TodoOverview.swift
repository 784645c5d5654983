/// An open list and what a front end shows beside it, all of one commit.
public struct TodoOverview: Hashable, Sendable {
  /// The items of the open list.
  public var page: ListPage
  /// All groups with their tallies, without the bytes of their pictures.
  public var groups: [GroupSummary]
  /// The tally of all items.
  public var all: Tally
  /// The tally of the items with a star.
  public var important: Tally
  /// The tally of the items without a group.
  public var ungrouped: Tally
  /// The command that undo would undo; nil if there is none.
  public var undo: HistoryStep?
  /// The command that redo would redo; nil if there is none.
  public var redo: HistoryStep?
  /// How many items and groups have changes that other machines cannot get yet.
  ///
  /// It is nil for a list that is not shared. An overview that is observed does not say it: what is sent changes nothing else.
  public var unsent: Int?

  /// Makes an overview of what was read.
  public init(
    page: ListPage, groups: [GroupSummary], all: Tally, important: Tally, ungrouped: Tally,
    undo: HistoryStep? = nil, redo: HistoryStep? = nil
  ) {
    (self.page, self.groups, self.undo, self.redo) = (page, groups, undo, redo)
    (self.all, self.important, self.ungrouped) = (all, important, ungrouped)
  }

  /// The group of a list; nil for a list of another kind, or of a deleted group.
  public func group(of list: ItemList) -> GroupSummary? {
    groups.first { $0.id == list.groupID }
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
