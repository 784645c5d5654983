import LMDB

/// A row in memory: an immutable copy of its bytes, with the codes that order it in a query.
///
/// One block of memory holds the group's code (for a query with distinct values), the sort code,
/// the key, and the row, in this order. So the code of any order is a range of the block that ends
/// with the key; see ``Order``.
///
/// `@unchecked Sendable`: the initialiser alone writes the block.
@safe
struct StoredRow: @unchecked Sendable {
  enum Order: Sendable, Hashable {
    /// By primary key.
    case key
    /// The query's: sort code, then key.
    case query
    /// By distinct values, then in the query's order.
    case group
  }

  fileprivate struct Header {
    let layout: RecordLayout
    /// The code of a long text is longer than the text.
    let groupCount: Int
    let sortCount: Int
    /// Rows have at most 4 GiB; see ``Table/longestRow``.
    let rowCount: UInt32
    /// Keys have at most some hundred bytes; see ``KeyCode/longestPrimaryKey``.
    let keyCount: UInt16
  }

  fileprivate let memory: ManagedBuffer<Header, UInt8>

  /// Copies a row with its codes.
  ///
  /// - Parameters:
  ///   - codes: The group's code and the sort code.
  ///   - groupCount: How many of the codes' bytes are the group's.
  init(
    _ view: RecordView, _ layout: RecordLayout, codes: UnsafeRawBufferPointer,
    groupCount: Int
  ) {
    let total = codes.count + view.keyCount + view.rowCount
    // Safety: the block has room for all parts, which are copied one after the other.
    memory = .create(minimumCapacity: total) { _ in
      Header(
        layout: layout, groupCount: groupCount, sortCount: codes.count - groupCount,
        rowCount: UInt32(view.rowCount), keyCount: UInt16(view.keyCount))
    }
    unsafe memory.withUnsafeMutablePointerToElements { start in
      let start = UnsafeMutableRawPointer(start)
      if let source = codes.baseAddress {
        unsafe start.copyMemory(from: source, byteCount: codes.count)
      }
      unsafe (start + codes.count).copyMemory(from: view.key, byteCount: view.keyCount)
      unsafe (start + codes.count + view.keyCount)
        .copyMemory(from: view.row, byteCount: view.rowCount)
    }
  }

  init(_ view: RecordView, _ layout: RecordLayout) {
    unsafe self.init(
      view, layout, codes: UnsafeRawBufferPointer(start: nil, count: 0), groupCount: 0)
  }

  /// Copies a checked row from its parts.
  init(key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, _ layout: RecordLayout) {
    guard let view = unsafe RecordView(key: key, row: row, layout: layout) else {
      preconditionFailure("A row that is kept was checked before: pass it in its own layout.")
    }
    self.init(view, layout)
  }

  var layout: RecordLayout { memory.header.layout }

  /// The row as conditions, codes and decoders read it.
  ///
  /// The view points into the block: the caller keeps the row while it uses the view.
  var view: RecordView {
    let header = memory.header
    let codes = header.groupCount + header.sortCount
    // Safety: the key and the row follow the codes; the second byte of a row holds its flags.
    return unsafe memory.withUnsafeMutablePointerToElements { start in
      let key = unsafe start + codes
      let row = unsafe key + Int(header.keyCount)
      return unsafe RecordView(
        key: UnsafeRawPointer(key), keyCount: Int(header.keyCount), row: UnsafeRawPointer(row),
        rowCount: Int(header.rowCount), isWide: row[1] & RecordLayout.wideFlag != 0)
    }
  }

  /// The code of the row in an order, borrowed while the row is kept.
  @inline(__always)
  func code(in order: Order) -> UnsafeRawBufferPointer { unsafe memory.code(in: order) }

  /// The code of the row's distinct values, borrowed while the row is kept.
  var groupCode: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: code(in: .group)[..<memory.header.groupCount])
  }

  var key: [UInt8] {
    // Safety: the code is copied while the row is kept.
    withExtendedLifetime(self) { unsafe [UInt8](code(in: .key)) }
  }

  @inline(__always)
  func isIdentical(to other: StoredRow) -> Bool { memory === other.memory }

  /// Negative, zero or positive: whether the row's code in an order is less, equal or greater.
  func compare(_ other: StoredRow, in order: Order) -> Int {
    // Safety: both rows are kept during the call.
    withExtendedLifetime((self, other)) {
      unsafe ByteList.compare(code(in: order), other.code(in: order))
    }
  }

  /// Whether both rows have the same codes in every order.
  func hasSamePlace(as other: StoredRow) -> Bool {
    compare(other, in: .group) == 0
  }

  /// Whether both rows have the same codes and the same values.
  func isSame(as other: StoredRow) -> Bool {
    layout.isSame(as: other.layout) && hasSamePlace(as: other) && holdsSame(as: other)
  }

  /// Whether this row comes before another one in the query's order.
  func precedes(_ other: StoredRow) -> Bool {
    compare(other, in: .query) < 0
  }

  /// Whether both rows have the same distinct values.
  func isInGroup(of other: StoredRow) -> Bool {
    // Safety: both rows are kept during the call.
    withExtendedLifetime((self, other)) {
      unsafe ByteList.compare(groupCode, other.groupCode) == 0
    }
  }

  /// Whether both rows hold the same values.
  ///
  /// Rows of one layout with the same bytes do; others are compared by the columns that the program
  /// declares, because a program with another form of the model may have changed what this one does not see.
  func holdsSame(as other: StoredRow) -> Bool {
    if isIdentical(to: other) { return true }
    // Safety: both rows are kept by the caller.
    if layout.isSame(as: other.layout),
      unsafe ByteList.compare(view.rowBytes, other.view.rowBytes) == 0
    {
      return true
    }
    return !differs(from: other, in: layout.schema.columns.indices)
  }

  /// Whether some columns, by their places, have other values in another row of the same key.
  func differs(from other: StoredRow, in columns: some Sequence<Int>) -> Bool {
    let (left, right) = (view, other.view)
    let (leftLayout, rightLayout) = (layout, other.layout)
    return withExtendedLifetime((self, other)) {
      columns.contains { place in
        let (own, others) = (leftLayout.columns[place], rightLayout.columns[place])
        guard own.isPresent(in: left) else { return others.isPresent(in: right) }
        guard others.isPresent(in: right) else { return true }
        // A row with wrong column ends differs from every other row.
        guard let bytes = unsafe try? own.bytes(in: left, leftLayout),
          let othersBytes = unsafe try? others.bytes(in: right, rightLayout)
        else { return true }
        return unsafe ByteList.compare(bytes, othersBytes) != 0
      }
    }
  }

  /// The object of the row; it throws what a fetch of the row does.
  func object<M: Model>(as model: M.Type) throws -> M {
    var decoder = _RecordDecoder(layout: layout)
    return try withExtendedLifetime(self) {
      decoder.move(to: view)
      return try M(_record: &decoder)
    }
  }
}

extension RecordLayout {
  /// Whether both layouts read rows in the same way: a layout's number is never used again.
  ///
  /// Layouts that the catalog lacks all have one number, and no rows: each is the same as itself alone.
  func isSame(as other: RecordLayout) -> Bool {
    self === other || id == other.id && schema === other.schema && id != Self.unregistered
  }
}

extension Table {
  /// A copy of the row of a key; nil where there is none.
  func storedRow(
    _ key: [UInt8], in transaction: borrowing some Transaction & ~Copyable
  ) throws -> StoredRow? {
    let arena = RecordArena()
    return try unsafe key.withUnsafeBytes { key in
      // Safety: the row is copied while the transaction keeps it valid.
      try unsafe row(key, in: transaction, arena).map { row in
        try row.checkSum(layout)
        return StoredRow(row, layout)
      }
    }
  }
}

extension StoredRow {
  /// An unretained reference to a row, which its owner retains.
  ///
  /// `@unchecked Sendable`: as the row itself.
  @safe
  struct Unretained: @unchecked Sendable {
    private let memory: Unmanaged<ManagedBuffer<Header, UInt8>>

    init(_ row: StoredRow) { unsafe memory = .passUnretained(row.memory) }

    /// The code of the row in an order, valid while the row is retained.
    @inline(__always)
    func code(in order: Order) -> UnsafeRawBufferPointer {
      // Safety: the owner of this value also owns what keeps the row.
      unsafe memory._withUnsafeGuaranteedRef { unsafe $0.code(in: order) }
    }
  }
}

extension ManagedBuffer where Header == StoredRow.Header, Element == UInt8 {
  @inline(__always)
  fileprivate func code(in order: StoredRow.Order) -> UnsafeRawBufferPointer {
    unsafe withUnsafeMutablePointers { header, bytes in
      let header = unsafe header.pointee
      // Safety: the parts are in this order, and the code ends where the key ends.
      let (group, sort) = (header.groupCount, header.sortCount)
      let start =
        switch order {
        case .group: 0
        case .query: group
        case .key: group &+ sort
        }
      return unsafe UnsafeRawBufferPointer(
        start: bytes + start, count: group &+ sort &+ Int(header.keyCount) &- start)
    }
  }
}

/// Copies rows into memory, with the codes that place them in a query's order.
///
/// Confined to its query.
final class StoredRowBuilder {
  private let group: [ColumnReader]
  private let sort: [ColumnReader]
  private let layout: RecordLayout
  private var codes = _ByteBuffer(capacity: 256)

  init(_ query: QueryCore, _ table: Table, _ catalog: Catalog) throws {
    let query = try query.resolvingRelevance(of: table.schema)
    let group = try query.distinct.map {
      try ColumnReader($0, table.layout, catalog)
    }
    let sort = try query.order.map {
      try ColumnReader($0, table, catalog)
    }
    self.group = group
    self.sort = sort
    layout = table.layout
  }

  /// Copies a row with its codes.
  func stored(
    _ row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> StoredRow {
    codes.count = 0
    for column in group { try column.appendCode(of: row, to: &codes, in: transaction) }
    let groupCount = codes.count
    for column in sort { try column.appendCode(of: row, to: &codes, in: transaction) }
    // Safety: the codes do not change during the call.
    return unsafe StoredRow(row, layout, codes: codes.bytes, groupCount: groupCount)
  }
}
