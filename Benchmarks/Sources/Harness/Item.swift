package import Foundation

/// One benchmark object, as the program holds it before any engine sees it.
///
/// Engines turn these into objects of their own before the clock starts.
package struct Item: Sendable, Hashable {
  /// The key: 1, 2, 3 and so on.
  package var id: Int64
  /// 40 ASCII letters.
  package var text: String
  /// 0 to 3.
  package var priority: Int
  /// Whether the task is done.
  package var isDone: Bool
  /// Whole seconds since 2001-01-01 00:00:00 UTC.
  package var createdAt: Double
  /// 0 up to a hundredth of the number of objects.
  package var groupId: Int

  /// A key that looks random and holds the id: the id's hash, then the id.
  package var uuid: UUID { UUID(id) }

  /// The id that a key of `uuid` holds.
  package static func id(of uuid: UUID) -> Int64 {
    withUnsafeBytes(of: uuid.uuid) { bytes in
      bytes[8...].reduce(0) { $0 << 8 | Int64($1) }
    }
  }

  /// Makes one object.
  package init(
    id: Int64, text: String, priority: Int, isDone: Bool, createdAt: Double, groupId: Int
  ) {
    self.id = id
    self.text = text
    self.priority = priority
    self.isDone = isDone
    self.createdAt = createdAt
    self.groupId = groupId
  }
}

extension UUID {
  fileprivate init(_ id: Int64) {
    let words = [SplitMix64.mix(UInt64(bitPattern: id)), UInt64(bitPattern: id)]
    let bytes = words.flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
