import LMDB

@testable import Croft

/// All rows of a store's models as bytes: by the model's number, by key.
typealias RowDump = [Int: [[UInt8]: [UInt8]]]

extension Croft.WriteTransaction {
  /// The rows that the transaction sees, in the layouts of its catalog.
  func dump() throws -> RowDump {
    var dump: RowDump = [:]
    let arena = RecordArena()
    for storage in catalog.all {
      var rows: [[UInt8]: [UInt8]] = [:]
      try base.forEachBlock(of: storage.rows) { block in
        for place in 0..<block.count {
          let entry = unsafe block.entries[place]
          let row = try unsafe storage.view(key: entry.key, row: entry.value, arena)
          unsafe rows[[UInt8](row.keyBytes)] = unsafe [UInt8](row.rowBytes)
        }
        return true
      }
      dump[storage.id] = rows
    }
    return dump
  }
}

/// A row before and after, as a test compares it.
struct RowDifference: Hashable {
  let key: [UInt8]
  let old: [UInt8]?
  let new: [UInt8]?
}

extension RowDump {
  /// The differences from an earlier dump, by model, ascending by key.
  func differences(from old: RowDump) -> [Int: [RowDifference]] {
    var differences: [Int: [RowDifference]] = [:]
    for (model, rows) in self {
      let before = old[model] ?? [:]
      let changed = Set(rows.keys).union(before.keys).filter { rows[$0] != before[$0] }
      guard !changed.isEmpty else { continue }
      differences[model] = changed.sorted { $0.lexicographicallyPrecedes($1) }.map {
        RowDifference(key: $0, old: before[$0], new: rows[$0])
      }
    }
    return differences
  }
}

extension TableDelta {
  /// The changes as a test compares them; nil where they are not known.
  var differences: [RowDifference]? {
    guard case .rows(let changes) = self else { return nil }
    return changes.map { RowDifference(key: $0.key, old: $0.old?.rowBytes, new: $0.new?.rowBytes) }
  }

  /// The keys, where they are known.
  var keys: [[UInt8]]? {
    switch self {
    case .rows(let changes): changes.map(\.key)
    case .keys(let keys): keys
    case .unknown: nil
    }
  }
}

extension StoredRow {
  /// A copy of the row's bytes, without its key.
  fileprivate var rowBytes: [UInt8] {
    withExtendedLifetime(self) { unsafe [UInt8](view.rowBytes) }
  }
}
