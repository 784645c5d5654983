import Foundation
import TodoKit

/// What a page shows at one moment: a list, and the names and counts of all lists.
struct ShownPage: Equatable, Sendable {
  var page: ListPage
  var groups: [GroupSummary]
  var all: Tally
  var important: Tally
  var ungrouped: Tally
  var history: CommandHistory

  /// The group of a list; nil for a list of another kind, or of a deleted group.
  func group(of list: ItemList) -> TodoGroup? {
    groups.first { $0.id == list.groupID }?.group
  }

  /// The counts of a list; nil for a group that does not exist any more.
  func tally(of list: ItemList) -> Tally? {
    switch list {
    case .all: all
    case .important: important
    case .ungrouped: ungrouped
    case .group(let id): groups.first { $0.id == id }?.tally
    }
  }
}
