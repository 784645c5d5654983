import LMDB

/// The result of a check of the whole store.
public struct Verification: Sendable, Hashable {
  /// How many rows were read.
  public internal(set) var rows = 0
  /// How many index entries were read.
  public internal(set) var indexEntries = 0
  /// How many problems were found.
  public internal(set) var problemCount = 0
  /// How many of the problems are in indexes, which can be rebuilt from the rows.
  public internal(set) var indexProblemCount = 0
  /// The first problems, a sentence each; as many as the call keeps.
  public internal(set) var problems: [String] = []

  /// The most problems that are kept as sentences.
  private let limit: Int

  init(keeping limit: Int) { self.limit = limit }

  /// Whether there are no problems.
  public var isSound: Bool { problemCount == 0 }

  /// Whether there are problems, all of which `rebuildIndexes(of:progress:)` repairs.
  public var isMendedByRebuildingIndexes: Bool {
    problemCount > 0 && indexProblemCount == problemCount
  }

  /// Counts a problem, and keeps its sentence while there is room; every check reports here.
  mutating func report(_ problem: @autoclosure () -> String, isOfIndex: Bool = false) {
    problemCount += 1
    if isOfIndex { indexProblemCount += 1 }
    if problems.count < limit { problems.append(problem().printable) }
  }

  fileprivate mutating func report(_ pages: (count: Int, problems: [String])) {
    problemCount += pages.count
    problems += pages.problems.prefix(limit - problems.count).map(\.printable)
  }

  /// Runs a check; damage that it throws is reported as a problem.
  fileprivate mutating func reportingDamage(
    _ check: (inout Verification) throws -> Void
  ) throws {
    do {
      try check(&self)
    } catch let error as LMDBError where error.isDamage {
      report("\(error)")
    } catch let error as StoreError {
      guard case .corrupt = error else { throw error }
      report("\(error)")
    }
  }
}

extension Store {
  /// Checks every page, every row against every index, both ways, and every reference.
  ///
  /// First all pages are checked: each must be of one tree or free, and each tree have the pages
  /// and rows that its record counts. Every row must have its checksum and be of its model's layout,
  /// with end offsets in order, have its entries in each index, and refer to existing objects; every
  /// index entry must be that of a row, every record of the log must be readable, and every change
  /// that a replica has yet to send must be of an object that exists, or was deleted. Models that
  /// this store was opened without are checked as the file describes them; where there are more
  /// trees than the process has room for, by their pages only.
  ///
  /// - Parameters:
  ///   - limit: The most problems that are kept as sentences, 0 or more; all are counted.
  ///   - onProgress: Called again and again while rows and entries are read; an error that it throws ends the check.
  /// - Throws: ``StoreError`` where the file itself cannot be read; what the closure throws; damage is reported, not
  ///   thrown.
  /// - Complexity: O(*n* log *n*) for *n* rows and entries.
  public func verify(
    keepingProblems limit: Int = 100, onProgress: (() throws -> Void)? = nil
  ) throws -> Verification {
    guard let onProgress else { return try check(keepingProblems: limit, nil) }
    return try check(keepingProblems: limit) { _ in try onProgress() }
  }

  /// Checks the store as `verify(keepingProblems:onProgress:)` does, and tells how far it is.
  ///
  /// ```swift
  /// let result = try store.verify { print("\($0.rows) rows, \($0.indexEntries) entries") }
  /// ```
  ///
  /// - Parameters:
  ///   - limit: The most problems that are kept as sentences, 0 or more; all are counted.
  ///   - progress: Called again and again while rows and entries are read, also those of an index for searches, with
  ///     the result so far; an error that it throws ends the check. All pages are checked before its first call.
  /// - Throws: ``StoreError`` where the file itself cannot be read; what the closure throws; damage is reported, not
  ///   thrown.
  /// - Complexity: O(*n* log *n*) for *n* rows and entries.
  public func verify(
    keepingProblems limit: Int = 100, progress: (Verification) throws -> Void
  ) throws -> Verification {
    try withoutActuallyEscaping(progress) { try check(keepingProblems: limit, $0) }
  }

  private func check(
    keepingProblems limit: Int, _ progress: ((Verification) throws -> Void)?
  ) throws -> Verification {
    precondition(
      limit >= 0, "The number of problems to keep is negative: pass 0 to count them only.")
    // The transaction asks before each block of rows, whichever check reads them.
    var last = Verification(keeping: limit)
    func note(_ result: Verification) { last = result }
    let onProgress: (() throws -> Void)? = progress.map { progress in
      CallbackError.wrapping { try progress(last) }
    }
    return try unwrappingErrors {
      let transaction = try LMDB.ReadTransaction(beginningIn: environment, onProgress: onProgress)
      var verification = Verification(keeping: limit)
      // Each kind of check is a line here and a method below.
      verification.report(transaction.checkPages(keeping: limit))
      try verification.reportingDamage {
        let (catalog, _) = try catalog(in: transaction, publishes: true)
        let others = try Self.storedTables(in: transaction)
        let declared = Set(catalog.all.map(\.id))
        for model in catalog.all + others.filter({ !declared.contains($0.id) }) {
          try $0.reportingDamage { try model.verifyRows(in: transaction, &$0, note) }
          for index in model.indexes {
            try $0.reportingDamage {
              try index.verifyEntries(of: model, in: transaction, &$0, note)
            }
          }
        }
      }
      try verification.reportingDamage {
        let (catalog, _) = try catalog(in: transaction, publishes: true)
        // Those that the store was opened with come first.
        let tables = catalog.all + (try Self.storedTables(in: transaction))
        try catalog.outbox?.verify(tables, in: transaction, &$0)
      }
      try verification.reportingDamage {
        try CommitLog(in: transaction)?.verify(in: transaction, &$0)
      }
      return verification
    }
  }

  /// Runs a check: errors of the engine become the store's, and those of the program stay what they are.
  private func unwrappingErrors<R>(_ body: () throws -> R) throws -> R {
    try CallbackError.unwrapping { try StoreError.mapping(body) }
  }

  /// The tables of all models of the file; none where the process has no room for their trees.
  private static func storedTables(
    in transaction: borrowing LMDB.ReadTransaction
  ) throws -> [Table] {
    do {
      return try SchemaUpdate.readAll(transaction).catalog?.all ?? []
    } catch LMDBError.Code.databasesFull {
      return []
    }
  }

  /// Checks every row against every index, both ways, and every reference, off the caller's thread.
  ///
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func verify(keepingProblems limit: Int = 100) async throws -> Verification {
    try await run { _ in try self.verify(keepingProblems: limit) }
  }
}

extension Table {
  fileprivate func verifyRows(
    in transaction: borrowing LMDB.ReadTransaction, _ result: inout Verification,
    _ progress: (Verification) throws -> Void
  ) throws {
    let arena = RecordArena()
    try transaction.forEachBlock(of: rows) { block in
      try progress(result)
      arena.clear()
      for place in 0..<block.count {
        let bytes = unsafe block.entries[place]
        result.rows += 1
        do {
          let row = try unsafe view(key: bytes.key, row: bytes.value, arena)
          try row.checkSum(layout)
          try checkValues(of: row, &result)
          for index in indexes where unsafe index.covers(row.keyBytes) {
            try index.verify(row, of: self, in: transaction, &result)
          }
          try verifyReferences(of: row, transaction, &result)
        } catch let error as StoreError {
          result.report("\(error)")
        }
      }
      return true
    }
  }

  /// Checks what reads leave unchecked: texts, the row's end, and that row and key agree.
  private func checkValues(of row: RecordView, _ result: inout Verification) throws {
    // Safety: the texts are made while the row is borrowed.
    func name(_ column: ColumnLayout) -> String {
      unsafe "\(schema.name).\(layout.names[column.index]) of \(schema.describe(key: row.keyBytes))"
    }
    var bytesUsed = 0
    for column in layout.columns {
      guard case .variable = column.place else { continue }
      let bytes = try unsafe column.bytes(in: row, layout)
      bytesUsed += bytes.count
      let isEmpty = unsafe bytes.isEmpty
      if !column.isPresent(in: row), !isEmpty {
        result.report("\(name(column)) is nil and has bytes")
      }
      if column.storage.collection == nil, column.kind == .string,
        unsafe String(validating: bytes, as: UTF8.self) == nil
      {
        result.report("\(name(column)) is no UTF-8")
      }
    }
    if layout.variableStart(isWide: row.isWide) + bytesUsed != row.rowCount {
      result.report(
        "\(schema.name) \(unsafe schema.describe(key: row.keyBytes)) has bytes after its last value"
      )
    }
    let key = schema.keyPlaces.map { layout.columns[$0] }
    guard key[0].place != .key else { return }
    var code = _ByteBuffer()
    for column in key { try code.appendCode(of: column, in: row, layout: layout, cut: nil) }
    if unsafe ByteList.compare(code.bytes, row.keyBytes) != 0 {
      result.report("\(name(key[0])) is not the key that the row is stored under")
    }
  }
}
