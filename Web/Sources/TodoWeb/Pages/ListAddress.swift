import Foundation
import TodoKit

/// Which list a page shows, and how; all of it is in the page's address.
struct ListAddress: Hashable, Sendable {
  /// How many rows a page begins with.
  static let rowsFirst = 200
  /// How many rows a page holds at most; a browser takes a second to lay out ten times as many.
  static let rowsMax = 1000

  var list: ItemList
  var sort: ItemSort
  var limit: Int

  init(_ list: ItemList, sort: ItemSort = .manual, limit: Int = Self.rowsFirst) {
    (self.list, self.sort, self.limit) = (list, sort, min(max(1, limit), Self.rowsMax))
  }

  /// Reads the parts of an address; nil for a list that no address names.
  init?(name: String, sort: String?, limit: String?) {
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
      list, sort: sort.flatMap(ItemSort.init(rawValue:)) ?? .manual,
      limit: limit.flatMap { Int($0) } ?? Self.rowsFirst)
  }

  /// The path of the list.
  var path: String { "/lists/\(Self.name(of: list))" }

  /// The path, followed by the settings that are not the default.
  var full: String {
    var query: [String] = []
    if sort != .manual { query.append("sort=\(sort.rawValue)") }
    if limit != Self.rowsFirst { query.append("limit=\(limit)") }
    return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
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

  /// What is read of the store for this page.
  var request: ListPage.Request { ListPage.Request(list, sortedBy: sort, limit: limit) }
}
