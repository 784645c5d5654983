import Foundation
import TodoKit

/// Which list a page shows, and how; all of it is in the page's address.
struct ListAddress: Hashable, Sendable {
  /// How many rows a page holds; a browser takes a second to lay out ten times as many.
  static let rowCount = 200

  var list: ItemList
  var sort: ItemSort
  /// How many rows of the list come before those of the page.
  var first: Int

  init(_ list: ItemList, sort: ItemSort = .manual, first: Int = 0) {
    (self.list, self.sort, self.first) = (list, sort, min(max(0, first), Int(Int32.max)))
  }

  /// Reads the parts of an address; nil for a list that no address names.
  init?(name: String, sort: String?, first: String?) {
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
      first: first.flatMap { Int($0) } ?? 0)
  }

  /// The path of the list.
  var path: String { "/lists/\(Self.name(of: list))" }

  /// The path, followed by the settings that are not the default.
  var full: String {
    var query: [String] = []
    if sort != .manual { query.append("sort=\(sort.rawValue)") }
    if first > 0 { query.append("from=\(first)") }
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

  /// The same list, with other rows of it.
  func starting(at first: Int) -> ListAddress { ListAddress(list, sort: sort, first: first) }

  /// What is read of the store for this page.
  var request: ListPage.Request {
    ListPage.Request(list, sortedBy: sort, rows: first..<first + Self.rowCount)
  }
}
