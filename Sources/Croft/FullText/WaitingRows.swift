/// The rows that wait for a number, ascending by their keys.
struct WaitingRows: ~Copyable {
  struct Row {
    /// The number that the row had before; nil for none.
    let old: UInt32?
  }

  private(set) var keys = ByteList()
  private(set) var rows: [Row] = []

  var count: Int { rows.count }

  mutating func append(_ key: UnsafeRawBufferPointer, _ row: Row) {
    // Safety: the key is copied during the call.
    unsafe keys.append(key)
    rows.append(row)
  }

  /// The numbers that no longer have the terms of their rows.
  var olds: Set<UInt32> { Set(rows.compactMap(\.old)) }
}

extension WaitingRows.Row {
  /// The old number plus one, or 0.
  var record: [UInt8] {
    var record: [UInt8] = []
    record.append(bigEndian: UInt64(old.map { UInt64($0) + 1 } ?? 0))
    return record
  }

  init?(_ record: RawSpan) {
    var reader = ByteReader(record.copied()[...])
    guard let word: UInt64 = reader.integer(), reader.rest.isEmpty, word <= 1 << 32 else {
      return nil
    }
    old = word == 0 ? nil : UInt32(word - 1)
  }
}
