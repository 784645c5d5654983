// What an index holds of a row, as bytes.

extension IndexStorage {
  /// Appends the keys of a row's entries, one behind the other.
  ///
  /// A collection gives an entry for each element; an element that it holds twice gives the
  /// same entry twice.
  ///
  /// - Parameters:
  ///   - row: A row of `layout`.
  ///   - bytes: Gets the keys.
  ///   - list: Gets one entry for each key.
  func appendEntries(
    of row: RowView, _ layout: RowLayout, to bytes: inout _ByteBuffer, _ list: inout [IndexEntry]
  ) throws {
    var isCodeAlone = isUnique
    for column in columns {
      try append(column, of: row, layout, to: &bytes, &isCodeAlone)
    }
    if !isCodeAlone {
      // Safety: the key is copied while the row is lent.
      unsafe bytes.append(contentsOf: row.keyBytes)
    }
    list.append(IndexEntry(end: bytes.count, isCodeAlone: isCodeAlone))
  }

  /// Appends one column's code, and notes where it may stand for more than one object.
  private func append(
    _ column: IndexColumn, of row: RowView, _ layout: RowLayout, to bytes: inout _ByteBuffer,
    _ isCodeAlone: inout Bool
  ) throws {
    let start = bytes.count
    let place = layout.columns[column.place]
    try bytes.appendCode(
      of: place, in: row, layout: layout, cut: cut, foldsCase: column.isCaseFolded)
    if isCodeAlone { isCodeAlone = bytes.isWholeValue(from: start, place.storage, cut: cut) }
    if column.isDescending { bytes.invert(from: start) }
  }
}

extension _ByteBuffer {
  /// Whether the ascending code from `start` on is that of one value: not of nil, and not cut.
  fileprivate func isWholeValue(from start: Int, _ storage: StorageType, cut: Int) -> Bool {
    if storage.isOptional, unsafe bytes[start] == 0 { return false }
    guard storage.kind.keyWidth == nil else { return true }
    // A whole code has at most two bytes more than is kept; a cut one has a mark and a hash.
    return count - start - (storage.isOptional ? 1 : 0) <= cut + 2
  }
}
