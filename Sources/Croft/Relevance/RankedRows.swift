import LMDB

/// Reads the rows of a search by descending relevance, no more than are wanted and might be among them.
///
/// The candidates of an index come by the greatest score that each can have. A row is passed on once no
/// candidate that is left can precede it. So all rows that are passed on come in the query's order, and
/// of the others those are read that might have preceded them.
struct RankedRows: ~Copyable {
  /// A row that was read, and its code in the query's order, at whose end its key is.
  private struct Row: Comparable {
    let code: [UInt8]
    let view: RecordView

    /// The score, with whose inverted bits the code begins.
    var score: UInt32 {
      code.prefix(MemoryLayout<UInt32>.size).reduce(0) { $0 << 8 | UInt32(~$1) }
    }

    static func < (left: Row, right: Row) -> Bool {
      left.code.lexicographicallyPrecedes(right.code)
    }

    static func == (left: Row, right: Row) -> Bool { left.code == right.code }
  }

  /// How many rows are read before it is asked again whether more are needed.
  private static let rowsPerStep = 16

  private let table: Table
  private let lookup: TextLookup
  private let columns: [ColumnReader]
  private var reader: QueryRun.RowReader
  /// Whether rows of one score are in the order of their keys.
  private let isByKey: Bool
  /// The candidates that were not looked at: the inverted bound, and the number.
  private var candidates = BinaryHeap<UInt64>()
  /// The keys of those with the greatest bound, and how many of them were read.
  private var keys = ByteList(capacity: 64)
  private var readKeys = 0
  private var bound: UInt32 = 0
  /// The rows that were read and not passed on.
  private var rows = BinaryHeap<Row>()
  /// How many rows of the order the limit can show; nil for all.
  private let most: Int?
  /// How many rows were read, and how many were kept at once, for tests.
  private(set) var rowsRead = 0
  private(set) var rowsKept = 0

  init(_ plan: Plan, _ lookup: TextLookup, _ filter: Filter?, _ arena: RecordArena) throws {
    table = plan.table
    self.lookup = lookup
    let query = plan.query
    most = query.mostShown
    columns = try query.effectiveOrder(query.condition.conjuncts, plan.table.schema)
      .map { try ColumnReader($0, plan.table, plan.catalog) }
    isByKey = columns.count == 1
    reader = QueryRun.RowReader(plan, filter, nil, arena, keepsRows: true, isOfIndex: true)
  }

  /// Calls the body with the rows in order, until it returns false.
  mutating func forEach(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RecordView) throws -> Bool
  ) throws {
    let answer = try lookup.answer(transaction)
    let bounds = try columns[0].relevance?.bounds(
      of: answer.numbers, of: lookup.texts, in: transaction)
    candidates = BinaryHeap(
      answer.numbers.enumerated().map { place, number in
        UInt64(~(bounds?[place] ?? .max)) << UInt64(UInt32.bitWidth) | UInt64(number)
      })
    // Rows that wait have no list; all of them are read.
    var waiting = ByteList(capacity: 1_024)
    for key in answer.waiting where try lookup.hasRow(of: key, in: transaction) {
      // Safety: the key is copied during the call.
      unsafe key.withUnsafeBytes { unsafe waiting.append($0) }
    }
    try read(waiting, upTo: .max, in: transaction)
    while true {
      while let row = rows.first, isSafe(row) {
        _ = rows.popFirst()
        // Safety: the key is at the end of the code, which is kept during the call.
        let goesOn = try unsafe row.code.withUnsafeBytes { code in
          let key = unsafe code.baseAddress.map { unsafe $0 + code.count - row.view.keyCount }
          return try unsafe body(row.view.under(key ?? row.view.key))
        }
        if !goesOn { return }
      }
      if readKeys == keys.count, try !nextKeys(in: transaction) {
        if rows.first == nil { return }
        continue
      }
      let step =
        isByKey ? Self.rowsPerStep : max(Self.rowsPerStep, Threshold.rowsPastLimit.value)
      var next = ByteList(capacity: 1_024)
      while readKeys < keys.count, next.count < step {
        // Safety: the key is copied while the list stays unchanged.
        unsafe next.append(keys[readKeys])
        readKeys += 1
      }
      try read(next, upTo: bound, in: transaction)
    }
  }

  /// Whether no candidate can precede a row.
  private func isSafe(_ row: Row) -> Bool {
    guard readKeys < keys.count else {
      return candidates.first.map { row.score > Self.bound(of: $0) } ?? true
    }
    if row.score != bound || !isByKey { return row.score > bound }
    return unsafe row.code.withUnsafeBytes { code in
      // Safety: the bytes are compared while both are borrowed; the key is at the end of the code.
      let key = unsafe UnsafeRawBufferPointer(rebasing: code.suffix(row.view.keyCount))
      return unsafe ByteList.compare(key, keys[readKeys]) < 0
    }
  }

  /// Takes the candidates with the greatest bound; false where none is left.
  private mutating func nextKeys(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    guard let first = candidates.first else { return false }
    bound = Self.bound(of: first)
    var numbers: [UInt32] = []
    while let next = candidates.first, Self.bound(of: next) == bound {
      _ = candidates.popFirst()
      numbers.append(UInt32(truncatingIfNeeded: next))
    }
    keys.removeAll()
    try lookup.appendKeys(of: numbers, to: &keys, in: transaction)
    if isByKey { keys.sort() }
    readKeys = 0
    return true
  }

  /// Reads the rows of some keys, and keeps those that match and that the limit can show.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for a row with a greater score than a bound,
  ///   of which the index lacks something: rows that precede it may have been passed on.
  private mutating func read(
    _ keys: borrowing ByteList, upTo bound: UInt32,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    rowsRead += keys.count
    var found: [Row] = []
    let columns = columns
    _ = try reader.read(keys, in: transaction) { batch in
      for place in 0..<batch.count {
        var code = _ByteBuffer()
        for column in columns {
          try column.appendCode(of: batch[place], to: &code, in: transaction)
        }
        unsafe code.append(contentsOf: batch[place].keyBytes)
        found.append(Row(code: code.copied, view: batch[place]))
      }
      return true
    }
    for row in found {
      if row.score > bound { throw table.falseEntry }
      rows.insert(row)
    }
    rowsKept = max(rowsKept, rows.count)
    // A difference, because the sum overflows where the limit is the greatest integer.
    if let most, rows.count - most > max(most, Threshold.rowsPastLimit.value) {
      rows.keepLeast(most)
    }
  }

  private static func bound(of candidate: UInt64) -> UInt32 {
    ~UInt32(truncatingIfNeeded: candidate >> UInt64(UInt32.bitWidth))
  }
}

extension Plan {
  /// Whether the lists of an index tell of most rows, without a test, that they match.
  var countsByLists: Bool {
    guard case .lookup(let lookup) = access, lookup is TextLookup else { return false }
    switch query.condition {
    case .search: return true
    // The lists do not tell where a text is nil, which no search matches.
    case .text(let path, _):
      return path.ownPlace.map { !table.schema.columns[$0].storage.isOptional } ?? false
    default: return false
    }
  }

  /// The lookup whose candidates are read by relevance; nil for another plan.
  var ranked: TextLookup? {
    guard case (.lookup(let lookup), .walk) = (access, delivery) else { return nil }
    return lookup as? TextLookup
  }
}
