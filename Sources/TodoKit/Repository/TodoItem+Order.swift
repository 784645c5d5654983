extension TodoItem {
  /// The order of every list: open before done, then by place, then older first, then by id.
  static func precedes(_ lhs: TodoItem, _ rhs: TodoItem) -> Bool {
    if lhs.isDone != rhs.isDone { return rhs.isDone }
    if lhs.order != rhs.order { return lhs.order < rhs.order }
    if lhs.createdAt != rhs.createdAt { return lhs.createdAt < rhs.createdAt }
    return lhs.id < rhs.id
  }
}

extension TodoGroup {
  /// The order of the groups: by place, then by id.
  static func precedes(_ lhs: TodoGroup, _ rhs: TodoGroup) -> Bool {
    lhs.order != rhs.order ? lhs.order < rhs.order : lhs.id < rhs.id
  }
}
