import LMDB

extension Table {
  /// Sees a row of the tree in the program's layout: the one way from bytes to a view.
  ///
  /// A row of the current layout stays where it lies, and costs one comparison. A row of an
  /// older one, or of another program's, is put into the current layout in the arena.
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

  /// Writes the fields that the program does not declare behind an encoded object.
  ///
  /// - Parameters:
  ///   - encoder: Holds the program's columns; it may become wide.
  ///   - old: The row to be replaced, whose values are kept; nil for an insert, which gets the
  ///     catalog's defaults.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` naming a field that needs a
  ///   value and has no default.
  @inline(__always)
  func encodeHidden(_ encoder: inout _RowEncoder, from old: RowView?) throws {
    if layout.hasHidden { try encodeHiddenColumns(&encoder, from: old) }
  }

  private func encodeHiddenColumns(_ encoder: inout _RowEncoder, from old: RowView?) throws {
    for (place, column) in layout.hidden.enumerated() {
      guard let old else {
        switch hiddenValues[place] {
        case .absent: encoder.storeNothing(in: column, layout)
        case .value(let value): unsafe encoder.store(value.bytes, in: column, layout)
        case .missing:
          throw StoreError.schemaMismatch(
            model: schema.name, field: layout.names[column.index],
            reason: "this program does not declare it, and the store has no default for it; "
              + "declare the property, give it a default where it is declared, or drop it for "
              + "good with @Removed(\"\(layout.names[column.index])\") on the model")
        }
        continue
      }
      if column.isPresent(in: old) {
        unsafe encoder.store(try column.bytes(in: old, layout), in: column, layout)
      } else {
        encoder.storeNothing(in: column, layout)
      }
    }
  }

  /// Has an encoded object say that structs are there which the program always has.
  ///
  /// Rows that it replaces need not say so, and stay as they are where nothing else changes.
  @inline(__always)
  func markStructs(in encoder: inout _RowEncoder) {
    if !structMarks.isEmpty { storeStructMarks(in: &encoder) }
  }

  private func storeStructMarks(in encoder: inout _RowEncoder) {
    for place in structMarks {
      guard case .fixed(let offset) = layout.columns[place].place else { continue }
      // Safety: the encoder's row has all columns of the layout, of which this one has a byte.
      unsafe encoder.row.base.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
    }
  }
}
