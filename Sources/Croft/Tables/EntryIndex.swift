import LMDB

/// An index with entries for each row: of values, of expressions, or of a collection's elements.
///
/// An entry's key is the codes of its columns in order, most often with the primary key after them.
final class EntryIndex: TableIndex {
  let status: IndexStatus
  let names: [String]
  /// How the parts of an entry are made, one for each of ``columns``.
  let parts: [Part]
  /// The types of the values that the parts enter.
  let storages: [StorageType]
  /// The expressions that parts enter, with the kinds of their values.
  let expressions: [(reader: ExpressionReader<ColumnLayout>, kind: StorageType.Kind)]
  /// Whether no two objects may have the same values.
  let isUnique: Bool
  let entries: StoredTree<IndexEntry>
  /// The most bytes kept of one variable value.
  let cut: Int
  /// The position among ``columns`` of a collection, whose elements have an entry each.
  let multiple: Int?
  private let layout: RecordLayout
  /// The columns that entries are made of.
  let sources: [ColumnLayout]

  init(_ status: IndexStatus, entries: Database, layout: RecordLayout) {
    self.status = status
    self.layout = layout
    self.entries = StoredTree<IndexEntry>(entries)
    isUnique = status.definition.isUnique
    var (names, storages, parts): ([String], [StorageType], [Part]) = ([], [], [])
    var expressions: [(reader: ExpressionReader<ColumnLayout>, kind: StorageType.Kind)] = []
    for column in status.definition.columns {
      let source: Part.Source
      switch column.source {
      case .column(let place):
        names.append(layout.names[place])
        storages.append(layout.columns[place].storage)
        source = .column(place)
      case .expression(let computed):
        names.append(computed.expression.name)
        storages.append(computed.storage.optional)
        source = .expression(expressions.count)
        let reader = ExpressionReader(computed.expression) { layout.columns[$0.place] }
        expressions.append((reader, computed.storage.kind))
      }
      parts.append(
        Part(source: source, isDescending: column.isDescending, isCaseFolded: column.isCaseFolded))
    }
    (self.names, self.storages) = (names, storages)
    (self.parts, self.expressions) = (parts, expressions)
    cut = KeyCode.longestKept(storages)
    multiple = storages.firstIndex { $0.collection != nil }
    sources = status.definition.columns.flatMap(\.places).map { layout.columns[$0] }
  }

  /// How one part of an entry is made; trivial, because every write loops over parts.
  struct Part: Sendable {
    enum Source: Sendable {
      /// The column at a place.
      case column(Int)
      /// One of the index's expressions.
      case expression(Int)
    }

    let source: Source
    let isDescending: Bool
    let isCaseFolded: Bool
  }

  /// What it is over.
  var columns: [IndexColumn] { status.definition.columns }

  func makeWriter(of table: Table) -> any IndexWriter { EntryWriter(self, of: table) }

  func candidate(for conjuncts: [ConditionTree], of table: Table, isOrdered: Bool) -> Candidate? {
    isOrdered || conjuncts.contains { $0.isAbout(columns[0]) }
      ? Candidate(self, conjuncts, table) : nil
  }

  func statistics(in transaction: borrowing LMDB.ReadTransaction) throws -> TreeStatistics {
    try transaction.statistics(of: entries)
  }
}

// MARK: - The entries of a row

/// One entry among those of a row: where its key ends, after the entry before it.
struct IndexEntry {
  /// What the entry's key and value are.
  enum Form: UInt8 {
    /// The columns' codes, then the primary key's; other objects may have the same columns.
    case nonUnique
    /// The columns' codes alone, in a unique index; the value is the primary key's code.
    case unique
    /// As nonUnique, in a unique index, because a code is truncated: only the rows tell whether
    /// two objects have the same value.
    case truncated
  }

  /// For what the entries of a row are made.
  enum Use {
    /// The keys are those of the tree.
    case tree
    /// Each key ends with the primary key, so that it also gives the value of a unique entry.
    case build
    /// Long values are not truncated, so that they can be compared; a tree could not hold such keys.
    case comparison
  }

  var end: Int
  var form: Form
}

extension EntryIndex {
  /// Appends the keys of a row's entries, one after the other.
  ///
  /// A collection gives an entry for each element (a dictionary for each value); an element that
  /// it holds twice gives the same entry twice, and an empty or absent one gives none.
  func appendEntries(
    of row: RecordView, to bytes: inout _ByteBuffer, _ list: inout [IndexEntry],
    for use: IndexEntry.Use = .tree
  ) throws {
    guard let multiple else { return try appendEntry(of: row, nil, to: &bytes, &list, use) }
    guard case .column(let place) = parts[multiple].source else { return }
    let column = layout.columns[place]
    guard let collection = try column.collection(in: row, layout) else { return }
    for element in 0..<collection.count {
      try appendEntry(of: row, (collection, element), to: &bytes, &list, use)
    }
  }

  /// Appends one entry: of a row, or of one element of its collection.
  @inline(__always)
  private func appendEntry(
    of row: RecordView, _ element: (of: CollectionView, at: Int)?, to bytes: inout _ByteBuffer,
    _ list: inout [IndexEntry], _ use: IndexEntry.Use
  ) throws {
    let cut = use == .comparison ? nil : cut
    var form = isUnique ? IndexEntry.Form.unique : .nonUnique
    for part in parts {
      let start = bytes.count
      switch part.source {
      case .column(let place):
        let column = layout.columns[place]
        if let element, column.storage.collection != nil {
          guard
            bytes.appendCode(
              of: element.at, in: element.of, column.storage, cut: cut,
              foldsCase: part.isCaseFolded)
          else { throw column.badEnds(in: row, layout) }
        } else {
          try bytes.appendCode(
            of: column, in: row, layout: layout, cut: cut, foldsCase: part.isCaseFolded)
        }
        if form != .nonUnique { form = bytes.form(from: start, column.storage, self.cut) ?? form }
      case .expression(let number): try appendCode(of: number, in: row, to: &bytes, cut)
      }
      if part.isDescending { bytes.invert(from: start) }
    }
    // Safety: the key is copied while the row is borrowed.
    if form != .unique || use == .build { unsafe bytes.append(contentsOf: row.keyBytes) }
    list.append(IndexEntry(end: bytes.count, form: form))
  }

  /// Appends the key code of an expression's value: 00 for nil, or 01 and its own.
  @inline(never)
  private func appendCode(
    of expression: Int, in row: RecordView, to bytes: inout _ByteBuffer, _ cut: Int?
  ) throws {
    let (reader, kind) = expressions[expression]
    let value = try reader.value { try $0.value(in: row, layout) }
    guard value != .none else { return bytes.append(0) }
    bytes.append(1)
    value.appendKey(kind: kind, to: &bytes, cut: cut)
  }

  /// Whether two rows have the same entries, because the columns have the same bytes.
  func hasSameEntries(_ old: RecordView, _ new: RecordView) throws -> Bool {
    try sources.allSatisfy { try $0.isSame(in: old, new, layout) }
  }
}

/// The keys of one row's entries.
struct RowEntries: ~Copyable {
  var bytes = _ByteBuffer()
  private(set) var list: [IndexEntry] = []

  /// Makes the entries of a row, and forgets those of the row before.
  mutating func make(
    of row: RecordView, in index: EntryIndex, for use: IndexEntry.Use = .tree
  ) throws {
    bytes.count = 0
    list.removeAll(keepingCapacity: true)
    try add(row, in: index, for: use)
  }

  /// Adds the entries of another row.
  mutating func add(
    _ row: RecordView, in index: EntryIndex, for use: IndexEntry.Use = .tree
  ) throws {
    try index.appendEntries(of: row, to: &bytes, &list, for: use)
  }

  var count: Int { list.count }

  /// The form of an entry.
  func form(_ ordinal: Int) -> IndexEntry.Form { list[ordinal].form }

  /// The key of an entry, borrowed until the entries change.
  subscript(ordinal: Int) -> UnsafeRawBufferPointer {
    let start = ordinal == 0 ? 0 : list[ordinal - 1].end
    // Safety: the list's ends ascend within the buffer.
    return unsafe UnsafeRawBufferPointer(rebasing: bytes.bytes[start..<list[ordinal].end])
  }

  /// Whether an entry has a key.
  func contains(_ key: UnsafeRawBufferPointer) -> Bool {
    // Safety: the keys are compared while the entries do not change.
    list.indices.contains { unsafe ByteList.compare(self[$0], key) == 0 }
  }
}

extension _ByteBuffer {
  /// The form that the ascending code from `start` on gives a unique entry; nil where it stays
  /// unique.
  fileprivate func form(
    from start: Int, _ storage: StorageType, _ cut: Int
  ) -> IndexEntry.Form? {
    let isMarked = storage.collection == nil ? storage.isOptional : storage.isElementOptional
    if isMarked, unsafe bytes[start] == 0 { return .nonUnique }
    guard storage.kind.canBeCut else { return nil }
    // A whole code has at most two bytes more than is kept; a truncated one has a mark and a hash.
    return count - start - (isMarked ? 1 : 0) > cut + 2 ? .truncated : nil
  }
}

// MARK: - From an entry to its row

extension Table {
  /// The primary key's code of an index entry: its value, or the end of its key.
  @inline(__always)
  func primaryKey(
    of entry: RowBlock.Entry, in index: EntryIndex
  ) throws -> UnsafeRawBufferPointer {
    // Safety: the entry's bytes are borrowed as long as the answer.
    try unsafe primaryKey(ofKey: entry.key, value: entry.value, in: index)
  }

  /// The primary key's code of an index entry; a damaged entry without one is an error.
  func primaryKey(
    ofKey key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, in index: EntryIndex
  ) throws -> UnsafeRawBufferPointer {
    if index.isUnique, unsafe !value.isEmpty {
      guard layout.keyWidth.map({ $0 == value.count }) ?? true else {
        throw badEntry(of: index)
      }
      return unsafe value
    }
    if let width = layout.keyWidth, key.count > width, let start = key.baseAddress {
      // Safety: the last bytes of the caller's, which stay valid.
      return unsafe UnsafeRawBufferPointer(start: start + (key.count - width), count: width)
    }
    var rest = unsafe key
    for (part, storage) in zip(index.parts, index.storages) {
      guard
        let length = unsafe KeyCode.length(
          of: storage.collection == nil ? storage : storage.element, in: rest,
          isDescending: part.isDescending)
      else { throw badEntry(of: index) }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(length))
    }
    guard unsafe !rest.isEmpty, layout.keyWidth.map({ $0 == rest.count }) ?? true else {
      throw badEntry(of: index)
    }
    return unsafe rest
  }

  /// The error of an index entry that brings no row, or one that has other values.
  var falseEntry: StoreError {
    .corrupt(
      model: schema.name, key: nil,
      reason: "an index has an entry of an object that is not there or has other values; "
        + "`store.verify()` names it, and `store.rebuildIndexes()` builds the index again")
  }

  private func badEntry(of index: EntryIndex) -> StoreError {
    .corrupt(
      model: schema.name, key: nil,
      reason: "an entry of the index over \(index.text) is truncated")
  }
}

extension TableIndex {
  /// Its columns as a person reads them.
  var text: String { names.joined(separator: ", ") }
}
