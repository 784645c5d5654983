import LMDB
import Testing

@testable import Croft

/// How a test damages a stored row.
enum RowDamage: CaseIterable, Sendable {
  /// A byte of a value differs, which the checksum alone tells.
  case value
  /// The row has too few bytes.
  case short
  /// The first byte is not that of a row.
  case tag
  /// The number of its layout is not in the catalog.
  case layout
  /// The end of a variable value is past the row, which the checksum tells as well.
  case checksum

  fileprivate func apply(to row: inout [UInt8], value: [UInt8]) {
    switch self {
    case .value:
      let start = row.indices.first { row[$0...].starts(with: value) }
      if let start { row[start + 1] ^= 1 }
    case .short: row = [0x52, 0, 1]
    case .tag: row[0] ^= 0x20
    case .layout: row[3] = 0x7F
    case .checksum: row[row.count - 1] ^= 1
    }
  }
}

extension Store {
  /// Damages the stored row of an integer key.
  ///
  /// - Parameter value: The bytes of one of its texts.
  func damageRow(_ key: Int, _ damage: RowDamage, value: String) throws {
    let code = withUnsafeBytes(of: (UInt64(bitPattern: Int64(key)) ^ 1 << 63).bigEndian) {
      unsafe [UInt8]($0)
    }
    try environment.write { transaction in
      var found = 0
      for number in 1...9 {
        guard let tree = try transaction.database(named: "e\(number)"),
          var row = try transaction.get(code.span.bytes, in: tree)?.copied(),
          String(decoding: row, as: UTF8.self).contains(value)
        else { continue }
        found += 1
        damage.apply(to: &row, value: Array(value.utf8))
        _ = try transaction.put(row.span.bytes, at: code.span.bytes, in: tree)
      }
      try #require(found == 1, "one row has the key \(key) and the text \(value)")
    }
  }
}
