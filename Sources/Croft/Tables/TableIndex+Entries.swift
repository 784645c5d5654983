// What an index holds of a row, as bytes.

extension TableIndex {
  /// Appends the keys of a row's entries, one behind the other.
  ///
  /// A collection gives an entry for each element (a dictionary for each value); an element that
  /// it holds twice gives the same entry twice, and an empty or absent one gives none.
  ///
  /// - Parameters:
  ///   - row: A row of `layout`.
  ///   - bytes: Gets the keys.
  ///   - list: Gets one entry for each key.
  ///   - isWhole: Whether long values are entered whole, which no tree could hold.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's ends lie.
  func appendEntries(
    of row: RowView, _ layout: RowLayout, to bytes: inout _ByteBuffer, _ list: inout [IndexEntry],
    isWhole: Bool = false
  ) throws {
    let cut = isWhole ? nil : cut
    guard let multiple else {
      return try appendEntry(of: row, layout, nil, to: &bytes, &list, cut)
    }
    let column = layout.columns[columns[multiple].place]
    guard let collection = try column.collection(in: row, layout) else { return }
    for element in 0..<collection.count {
      try appendEntry(of: row, layout, (collection, element), to: &bytes, &list, cut)
    }
  }

  /// Appends one entry: of a row, or of one element of its collection.
  @inline(__always)
  private func appendEntry(
    of row: RowView, _ layout: RowLayout, _ element: (of: CollectionView, at: Int)?,
    to bytes: inout _ByteBuffer, _ list: inout [IndexEntry], _ cut: Int?
  ) throws {
    var form = isUnique ? IndexEntry.Form.alone : .shared
    for column in columns {
      let start = bytes.count
      let place = layout.columns[column.place]
      if let element, place.storage.collection != nil {
        guard
          bytes.appendCode(
            of: element.at, in: element.of, place.storage, cut: cut,
            foldsCase: column.isCaseFolded)
        else { throw place.badEnds(in: row, layout) }
      } else {
        try bytes.appendCode(
          of: place, in: row, layout: layout, cut: cut, foldsCase: column.isCaseFolded)
      }
      if form != .shared { form = bytes.form(from: start, place.storage, self.cut) ?? form }
      if column.isDescending { bytes.invert(from: start) }
    }
    // Safety: the key is copied while the row is lent.
    if form != .alone { unsafe bytes.append(contentsOf: row.keyBytes) }
    list.append(IndexEntry(end: bytes.count, form: form))
  }
}

extension _ByteBuffer {
  /// The form that the ascending code from `start` on gives a unique entry; nil for none of its own.
  fileprivate func form(
    from start: Int, _ storage: StorageType, _ cut: Int
  ) -> IndexEntry.Form? {
    let isMarked = storage.collection == nil ? storage.isOptional : storage.isElementOptional
    if isMarked, unsafe bytes[start] == 0 { return .shared }
    guard storage.kind.canBeCut else { return nil }
    // A whole code has at most two bytes more than is kept; a cut one has a mark and a hash.
    return count - start - (isMarked ? 1 : 0) > cut + 2 ? .cut : nil
  }
}
