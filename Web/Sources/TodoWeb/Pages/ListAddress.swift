import Foundation
import TodoKit

/// Which list a page shows, and how; all of it is in the page's address.
struct ListAddress: Hashable, Sendable {
  /// How many rows a page holds; a browser takes a second to lay out ten times as many.
  static let rowCount = 200

  /// How the groups beside the list are shown.
  enum GroupView: String, CaseIterable, Sendable {
    case list, grid
  }

  var list: ItemList
  var sort: ItemSort
  /// How many rows of the list come before those of the page.
  var first: Int
  var groupView = GroupView.list
  /// Whether the page is for deleting items.
  var isEditing = false

  init(_ list: ItemList, sort: ItemSort = .manual, first: Int = 0) {
    (self.list, self.sort, self.first) = (list, sort, min(max(0, first), Int(Int32.max)))
  }

  /// Reads the name of a list and what the query of an address says; nil for an unknown list.
  init?(name: String, query: (String) -> String? = { _ in nil }) {
    let list: ItemList
    switch name {
    case "all": list = .all
    case "important": list = .important
    case "ungrouped": list = .ungrouped
    default:
      guard let id = UUID(uuidString: name) else { return nil }
      list = .group(id: id)
    }
    self.init(
      list, sort: query("sort").flatMap(ItemSort.init(rawValue:)) ?? .manual,
      first: query("from").flatMap { Int($0) } ?? 0)
    groupView = query("view").flatMap(GroupView.init(rawValue:)) ?? .list
    isEditing = query("mode") == "edit"
  }

  /// The path of the list.
  var path: String { "/lists/\(Self.name(of: list))" }

  /// The path, followed by the settings that are not the default.
  var full: String {
    var query: [String] = []
    if sort != .manual { query.append("sort=\(sort.rawValue)") }
    if groupView != .list { query.append("view=\(groupView.rawValue)") }
    if isEditing { query.append("mode=edit") }
    if first > 0 { query.append("from=\(first)") }
    return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
  }

  /// The same page with something changed.
  func with(_ change: (inout ListAddress) -> Void) -> ListAddress {
    var copy = self
    change(&copy)
    return copy
  }

  /// The name of a list in addresses.
  static func name(of list: ItemList) -> String {
    switch list {
    case .all: "all"
    case .important: "important"
    case .ungrouped: "ungrouped"
    case .group(let id): id.uuidString.lowercased()
    }
  }

  /// What is read of the store for this page, without the items that are hidden until a later day.
  func request(on today: CalendarDay) -> ListPage.Request {
    var request = ListPage.Request(list, sortedBy: sort, rows: first..<first + Self.rowCount)
    request.hidesWaitingOn = today
    return request
  }
}
