import Croft
import Foundation
import Harness

/// The object with two indexes.
@Model struct BenchmarkItem {
  @PrimaryKey var id: Int64
  var text: String
  @Indexed var priority: Int
  var isDone: Bool
  var createdAt: Date
  @Indexed var groupId: Int
}

/// The same object under a random key.
@Model struct UUIDItem {
  @PrimaryKey var id: UUID
  var text: String
  @Indexed var priority: Int
  var isDone: Bool
  var createdAt: Date
  @Indexed var groupId: Int
}

/// The same object without an index.
@Model struct PlainItem {
  @PrimaryKey var id: Int64
  var text: String
  var priority: Int
  var isDone: Bool
  var createdAt: Date
  var groupId: Int
}

extension BenchmarkItem {
  init(_ item: Item) {
    self.init(
      id: item.id, text: item.text, priority: item.priority, isDone: item.isDone,
      createdAt: Date(timeIntervalSinceReferenceDate: item.createdAt), groupId: item.groupId)
  }
}

extension UUIDItem {
  init(_ item: Item) {
    self.init(
      id: item.uuid, text: item.text, priority: item.priority, isDone: item.isDone,
      createdAt: Date(timeIntervalSinceReferenceDate: item.createdAt), groupId: item.groupId)
  }
}

extension PlainItem {
  init(_ item: Item) {
    self.init(
      id: item.id, text: item.text, priority: item.priority, isDone: item.isDone,
      createdAt: Date(timeIntervalSinceReferenceDate: item.createdAt), groupId: item.groupId)
  }
}

extension Item {
  init(_ item: BenchmarkItem) {
    self.init(
      id: item.id, text: item.text, priority: item.priority, isDone: item.isDone,
      createdAt: item.createdAt.timeIntervalSinceReferenceDate, groupId: item.groupId)
  }

  init(_ item: PlainItem) {
    self.init(
      id: item.id, text: item.text, priority: item.priority, isDone: item.isDone,
      createdAt: item.createdAt.timeIntervalSinceReferenceDate, groupId: item.groupId)
  }

  init(_ item: UUIDItem) {
    self.init(
      id: Item.id(of: item.id), text: item.text, priority: item.priority, isDone: item.isDone,
      createdAt: item.createdAt.timeIntervalSinceReferenceDate, groupId: item.groupId)
  }
}
