import LMDB

@testable import Croft

/// A kind of index as different from entries for each row as search indexes are.
///
/// It has one entry for each pair of ASCII characters, whose value is the keys of all rows with that pair
/// in their title, eight bytes each and ascending. Its writer keeps all changes until the index is read or
/// the transaction commits. A search for a text brings the rows with the text's first pair, which are then
/// tested.
final class PairIndex: TableIndex {
  let status: IndexStatus
  let names: [String]
  let tree: Database
  private let column: ColumnLayout
  private let layout: RecordLayout

  /// The index over a model's column, with its tree.
  init(over place: Int, of table: Table, id: Int, slot: Int, _ tree: Database) {
    status = IndexStatus(
      id: id, slot: slot, definition: IndexDefinition(columns: [IndexColumn(place: place)]))
    names = [table.layout.names[place]]
    layout = table.layout
    column = layout.columns[place]
    self.tree = tree
  }

  /// The pairs of a row's text.
  func pairs(of row: RecordView) throws -> Set<[UInt8]> {
    guard case .string(let text) = try column.value(in: row, layout) else { return [] }
    return Set(zip(text.utf8, text.utf8.dropFirst()).map { [$0, $1] })
  }

  func makeWriter(of table: Table) -> any IndexWriter { PairWriter(self) }

  func candidate(for conjuncts: [ConditionTree], of table: Table, isOrdered: Bool) -> Candidate? {
    for case .text(let path, let pattern) in conjuncts
    where status.definition.columns[0].isOver(path) && pattern.kind == .contains
      && pattern.options == [] && pattern.text.utf8.count > 1
    {
      return Candidate(
        access: .lookup(PairLookup(index: self, pair: Array(pattern.text.utf8.prefix(2)))),
        answered: CandidateBounds.ConjunctSet())
    }
    return nil
  }

  func statistics(in transaction: borrowing LMDB.ReadTransaction) throws -> TreeStatistics {
    try transaction.statistics(of: tree)
  }

  func verify(
    _ row: RecordView, of table: Table, in transaction: borrowing LMDB.ReadTransaction,
    _ result: inout Verification
  ) throws {
    let key = unsafe [UInt8](row.keyBytes)
    for pair in try pairs(of: row) where try !keys(of: pair, in: transaction).contains(key) {
      result.report("the pairs lack \(pair) of \(key)", isOfIndex: true)
    }
  }

  func verifyEntries(
    of table: Table, in transaction: borrowing LMDB.ReadTransaction, _ result: inout Verification,
    _ progress: (Verification) throws -> Void
  ) throws {
    try transaction.forEachBlock(of: tree) { block in
      for position in 0..<block.count {
        let pair = block.key(at: position).copied()
        for key in try keys(of: pair, in: transaction) {
          result.indexEntries += 1
          let isOwn = try key.withUnsafeBytes { key in
            try unsafe table.row(key, in: transaction, RecordArena())
              .map { try pairs(of: $0).contains(pair) } ?? false
          }
          if !isOwn { result.report("the pairs have \(pair) of \(key)", isOfIndex: true) }
        }
      }
      return true
    }
  }

  /// The keys of the rows with a pair.
  func keys(
    of pair: [UInt8], in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> [[UInt8]] {
    guard let value = try transaction.get(pair.span.bytes, in: tree)?.copied() else { return [] }
    return stride(from: 0, to: value.count, by: 8).map { Array(value[$0..<$0 + 8]) }
  }
}

/// The rows with a pair.
private final class PairLookup: IndexLookup {
  let pairs: PairIndex
  let pair: [UInt8]

  init(index: PairIndex, pair: [UInt8]) { (pairs, self.pair) = (index, pair) }

  var index: any TableIndex { pairs }

  func delivers(_ order: [SortKey]) -> Bool { order.isEmpty }

  func estimate(
    upTo bound: Int, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Plan.Estimate {
    Plan.Estimate(count: try pairs.keys(of: pair, in: transaction).count, isExact: true)
  }

  func forEachCandidate(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    for key in try pairs.keys(of: pair, in: transaction) {
      guard try key.withUnsafeBytes({ try unsafe body($0) }) else { return }
    }
  }
}

/// Keeps changes as pairs and keys, and merges them into the entries of the pairs.
private final class PairWriter: IndexWriter {
  private struct Change {
    var pair: [UInt8]
    var key: [UInt8]
    var isRemoval: Bool
  }

  private let index: PairIndex
  private var changes: [Change] = []
  private var applied = 0
  private var marks: [(count: Int, applied: Int)] = []

  init(_ index: PairIndex) { self.index = index }

  var isFull: Bool { false }

  private func append(_ row: RecordView, isRemoval: Bool) throws {
    let key = unsafe [UInt8](row.keyBytes)
    for pair in try index.pairs(of: row).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      changes.append(Change(pair: pair, key: key, isRemoval: isRemoval))
    }
  }

  func check(
    _ row: RecordView, replacing old: RecordView?, in transaction: borrowing LMDB.WriteTransaction,
    _ arena: RecordArena
  ) {}

  func put(
    _ row: RecordView, replacing old: RecordView?, in transaction: inout LMDB.WriteTransaction
  ) throws {
    if let old { try append(old, isRemoval: true) }
    try append(row, isRemoval: false)
  }

  func remove(_ row: RecordView) throws { try append(row, isRemoval: true) }

  func endStatement(in transaction: inout LMDB.WriteTransaction) {}

  func build(_ row: RecordView) throws -> Int {
    try append(row, isRemoval: false)
    return changes.count * 10
  }

  func flush(to transaction: inout LMDB.WriteTransaction) throws {
    for (pair, changes) in Dictionary(grouping: changes[applied...], by: \.pair) {
      var keys = Set(try index.keys(of: pair, in: transaction))
      for change in changes {
        if change.isRemoval { keys.remove(change.key) } else { keys.insert(change.key) }
      }
      let value = keys.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
      if value.isEmpty {
        try transaction.delete(pair.span.bytes, in: index.tree)
      } else {
        try transaction.put(value.span.bytes, at: pair.span.bytes, in: index.tree)
      }
    }
    applied = changes.count
  }

  func removeAll(in transaction: inout LMDB.WriteTransaction) throws {
    applied = changes.count
    try transaction.empty(index.tree)
  }

  func removeEntries(of keys: ByteSet, in transaction: inout LMDB.WriteTransaction) {}

  func beginSavepoint() { marks.append((changes.count, applied)) }

  func releaseSavepoint() { marks.removeLast() }

  func rollBackToSavepoint() {
    let mark = marks.removeLast()
    changes.removeLast(changes.count - mark.count)
    applied = mark.applied
  }
}
