import LMDB

/// A model in an open store: its layout, its rows and its indexes.
@usableFromInline
final class Table: Sendable {
  /// The catalog's number of the model.
  let id: Int
  let schema: Schema
  /// The layout in which rows are read: the program's columns, then the fields it lacks.
  @usableFromInline let layout: RowLayout
  /// How rows of other layouts become rows of this one, by their layout's id.
  let transcoders: [UInt16: RowTranscoder]
  /// The values of the hidden columns in new rows, in their order.
  let hiddenValues: [HiddenValue]
  /// The places of hidden columns that mark structs as present which the program requires.
  let structMarks: [Int]
  let rows: RowTable
  let indexes: [TableIndex]
  /// The columns of references, those of hidden fields among them.
  let references: [ForeignKey]
  /// Whether a row can violate a unique index or a reference.
  let isConstrained: Bool

  init(
    id: Int, schema: Schema, layout: RowLayout, transcoders: [UInt16: RowTranscoder] = [:],
    hiddenValues: [HiddenValue] = [], structMarks: [Int] = [], rows: RowTable,
    indexes: [TableIndex], references: [ForeignKey] = []
  ) {
    self.id = id
    self.references = references
    isConstrained = !references.isEmpty || indexes.contains(where: \.isUnique)
    self.schema = schema
    self.layout = layout
    self.transcoders = transcoders
    self.hiddenValues = hiddenValues
    self.structMarks = structMarks
    self.rows = rows
    self.indexes = indexes
  }

  /// The index over one column alone, if there is one.
  func index(on column: Int) -> TableIndex? {
    indexes.first { $0.columns == [IndexColumn(place: column)] }
  }
}

/// The value of a field in new rows that the program does not declare.
enum HiddenValue: Sendable {
  case absent
  case value(FieldValue)
  /// The field needs a value, and the catalog has none.
  case missing
}

// MARK: - Reading rows

extension Table {
  /// A stored row in the program's layout: the one way from bytes to a view.
  ///
  /// A row of the current layout is read in place, and costs one comparison. A row of an older
  /// one, or of another program's, is transcoded into the arena.
  ///
  /// - Parameters:
  ///   - key: The row's key, lent as long as the view.
  ///   - row: The row's bytes, lent as long as the view.
  ///   - arena: Lives as long as the view is used.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for what is no row of the model.
  @inline(__always)
  func view(
    key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, _ arena: RowArena
  ) throws -> RowView {
    // Safety: the caller lends the bytes for as long as it uses the view.
    if let view = unsafe RowView(key: key, stored: row, layout: layout) { return view }
    return try unsafe transcoded(key: key, row: row, arena)
  }

  @inline(never)
  private func transcoded(
    key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, _ arena: RowArena
  ) throws -> RowView {
    // Safety: as for `view`; the count is checked before the two bytes are read.
    let id = unsafe row.count < 4 ? 0 : UInt16(row[2]) | UInt16(row[3]) << 8
    guard let transcoder = transcoders[id] else {
      throw unsafe RowView.reject(key: key, row: row, layout: layout)
    }
    guard let view = unsafe RowView(key: key, stored: row, layout: transcoder.source) else {
      throw unsafe RowView.reject(key: key, row: row, layout: transcoder.source)
    }
    CoverageMark.hit(.rowTranscoded)
    // The row that it becomes has no checksum.
    try view.checkSum(transcoder.source)
    return try transcoder.transcode(view, into: arena)
  }

  /// Finds one row by its key's code.
  ///
  /// - Parameters:
  ///   - key: The key's code, lent as long as the view.
  ///   - transaction: The transaction to read in.
  ///   - arena: Lives as long as the view is used.
  /// - Returns: The row, lent until the transaction changes; nil where there is none.
  func row(
    _ key: UnsafeRawBufferPointer, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ arena: RowArena
  ) throws -> RowView? {
    // Safety: the caller lets go of the view before anything is written.
    guard let row = try unsafe transaction.get(RawSpan(_unsafeBytes: key), in: rows) else {
      return nil
    }
    return try unsafe view(key: key, row: row.withUnsafeBytes { unsafe $0 }, arena)
  }
}
