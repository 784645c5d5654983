import Foundation

/// A statement with its values, which are sent apart from the text.
struct PostgresStatement: Sendable {
  let sql: String
  let values: [PostgresValue]

  init(_ sql: String, _ values: PostgresValue...) { self.init(sql, values) }

  init(_ sql: String, _ values: [PostgresValue]) { (self.sql, self.values) = (sql, values) }
}

/// A value of a statement, in PostgreSQL's binary format.
enum PostgresValue: Sendable {
  case bool(Bool)
  case int4(Int32)
  case int8(Int64)
  case text(String)
  case bytea([UInt8])
  case uuid(UUID?)
  case timestamp(milliseconds: Int64)
  case bools([Bool])
  case int4s([Int32])
  case int8s([Int64])
  case uuids([UUID])
  case byteas([[UInt8]?])

  /// The types by their numbers in the table `pg_type`, which never change.
  enum Kind: UInt32, Sendable {
    case bool = 16
    case bytea = 17
    case int8 = 20
    case int4 = 23
    case text = 25
    case timestamp = 1184
    case uuid = 2950
    case bools = 1000
    case byteas = 1001
    case int4s = 1007
    case int8s = 1016
    case uuids = 2951
  }

  var kind: Kind {
    switch self {
    case .bool: .bool
    case .int4: .int4
    case .int8: .int8
    case .text: .text
    case .bytea: .bytea
    case .uuid: .uuid
    case .timestamp: .timestamp
    case .bools: .bools
    case .int4s: .int4s
    case .int8s: .int8s
    case .uuids: .uuids
    case .byteas: .byteas
    }
  }

  /// The bytes of the value; nil for NULL.
  var bytes: [UInt8]? {
    switch self {
    case .bool(let value): [value ? 1 : 0]
    case .int4(let value): value.bigEndianBytes
    case .int8(let value): value.bigEndianBytes
    case .text(let value): Array(value.utf8)
    case .bytea(let value): value
    case .uuid(let value): value?.bytes
    case .timestamp(let milliseconds):
      ((milliseconds - Self.epoch).multipliedReportingOverflow(by: 1_000).partialValue)
        .bigEndianBytes
    case .bools(let values): Self.array(values.map { [$0 ? 1 : 0] }, of: .bool)
    case .int4s(let values): Self.array(values.map(\.bigEndianBytes), of: .int4)
    case .int8s(let values): Self.array(values.map(\.bigEndianBytes), of: .int8)
    case .uuids(let values): Self.array(values.map(\.bytes), of: .uuid)
    case .byteas(let values): Self.array(values, of: .bytea)
    }
  }

  /// The first millisecond of 2000, from which PostgreSQL counts, in milliseconds since 1970.
  static let epoch: Int64 = 946_684_800_000

  /// An array of one dimension: its header, and each element after its length, which is -1 for NULL.
  private static func array(_ elements: [[UInt8]?], of kind: Kind) -> [UInt8] {
    let count = Int32(clamping: elements.count)
    let hasNulls: Int32 = elements.contains { $0 == nil } ? 1 : 0
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20 + elements.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
    bytes += Int32(1).bigEndianBytes + hasNulls.bigEndianBytes + kind.rawValue.bigEndianBytes
    bytes += count.bigEndianBytes + Int32(1).bigEndianBytes
    for element in elements {
      bytes += Int32(clamping: element?.count ?? -1).bigEndianBytes
      if let element { bytes += element }
    }
    return bytes
  }
}

extension FixedWidthInteger {
  fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}

extension UUID {
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: uuid, Array.init) }
}
