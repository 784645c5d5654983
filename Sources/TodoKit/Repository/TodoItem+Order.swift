extension TodoItem {
  /// The order of every list: open before done, then older before younger, then by id.
  static func precedes(_ lhs: TodoItem, _ rhs: TodoItem) -> Bool {
    if lhs.isDone != rhs.isDone { return rhs.isDone }
    if lhs.createdAt != rhs.createdAt { return lhs.createdAt < rhs.createdAt }
    return lhs.id < rhs.id
  }
}
