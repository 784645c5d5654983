import CPeerLMDB
import Foundation
import Harness

// What the peers in C hold, made of the benchmark's objects and the other way round.

extension peer_schema {
  init(_ schema: Schema) {
    self =
      switch schema {
      case .plain: PEER_PLAIN
      case .indexed: PEER_INDEXED
      case .uuid: PEER_UUID
      }
  }
}

extension peer_item {
  init(_ item: Item) {
    self.init()
    id = item.id
    created_at = item.createdAt
    group_id = Int64(item.groupId)
    priority = UInt8(item.priority)
    is_done = item.isDone
    withUnsafeMutableBytes(of: &text) { $0.copyBytes(from: item.text.utf8) }
  }
}

extension Item {
  init(_ item: peer_item) {
    self.init(
      id: item.id, text: withUnsafeBytes(of: item.text) { String(decoding: $0, as: UTF8.self) },
      priority: Int(item.priority), isDone: item.is_done, createdAt: item.created_at,
      groupId: Int(item.group_id))
  }
}

extension Dataset {
  /// The keys of the items where they are UUIDs, 16 bytes each, one after another.
  var uuidBytes: [UInt8] {
    items.flatMap { item in withUnsafeBytes(of: item.uuid.uuid) { [UInt8]($0) } }
  }
}
