public import CroftFoundation

/// A list of items that a screen shows: a query, never a copy of items.
public enum ItemList: Hashable, Codable, Sendable {
  /// Every item.
  case all
  /// The items with a star, of all groups.
  case important
  /// The items of one group.
  case group(id: UUID)
  /// The items without a group.
  case ungrouped

  /// Whether an item belongs to the list.
  public func includes(_ item: TodoItem) -> Bool {
    switch self {
    case .all: true
    case .important: item.isImportant
    case .group(let id): item.groupID == id
    case .ungrouped: item.groupID == nil
    }
  }

  /// The group that new items of the list belong to; nil if they belong to none.
  public var groupID: UUID? { if case .group(let id) = self { id } else { nil } }

  /// What a user can do with the list itself.
  public var capabilities: ListCapabilities {
    switch self {
    case .all, .ungrouped: ListCapabilities(canAdd: true, canRename: false, canDelete: false)
    case .important: ListCapabilities(canAdd: false, canRename: false, canDelete: false)
    case .group: ListCapabilities(canAdd: true, canRename: true, canDelete: true)
    }
  }

  /// The lists that an item belongs to.
  static func containing(_ item: TodoItem) -> [ItemList] {
    var lists: [ItemList] = [.all, item.groupID.map { .group(id: $0) } ?? .ungrouped]
    if item.isImportant { lists.append(.important) }
    return lists
  }

  /// The key under which the list's tally is stored.
  var tallyKey: String {
    switch self {
    case .all: "all"
    case .important: "important"
    case .group(let id): id.uuidString
    case .ungrouped: "ungrouped"
    }
  }
}

/// Which items of a list are included.
public enum ItemFilter: String, Hashable, Codable, Sendable, CaseIterable {
  /// Open and done ones.
  case all
  /// Open ones.
  case undone
  /// Done ones.
  case done

  /// Whether an item that is done, or is not, belongs to the list.
  public func includes(isDone: Bool) -> Bool {
    switch self {
    case .all: true
    case .undone: !isDone
    case .done: isDone
    }
  }
}

/// What a user can do with a list itself; front ends hide or refuse everything else.
public struct ListCapabilities: Hashable, Sendable {
  /// Whether items can be added to it.
  public let canAdd: Bool
  /// Whether it can be given another name.
  public let canRename: Bool
  /// Whether it can be deleted.
  public let canDelete: Bool
}
