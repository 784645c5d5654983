/// A row kept in memory: an immutable copy of its bytes, with its place in a query's order.
///
/// One block of memory holds the group's code (for a query with distinct values), the sort code,
/// the key, and the row, one behind the other. So a place in any order is a range of the block
/// that ends with the key; see ``Order``.
///
/// `@unchecked Sendable`: the block is written once, by the initialiser, before anybody else sees
/// it.
@safe
struct StoredRow: @unchecked Sendable {
  /// The orders that a row has a place in.
  enum Order: Sendable, Hashable {
    /// By primary key.
    case key
    /// The query's: sort code, then key.
    case query
    /// By distinct values, then in the query's order.
    case group
  }

  fileprivate struct Header {
    let layout: RowLayout
    let groupCount: Int32
    let sortCount: Int32
    let keyCount: Int32
    let rowCount: Int32
  }

  fileprivate let memory: ManagedBuffer<Header, UInt8>

  /// Copies a row with its codes.
  ///
  /// - Parameters:
  ///   - view: The row, in the layout.
  ///   - layout: The layout that reads it.
  ///   - codes: The group's code and the sort code.
  ///   - groupCount: How many of the codes' bytes are the group's.
  init(
    _ view: RowView, _ layout: RowLayout, codes: UnsafeRawBufferPointer,
    groupCount: Int
  ) {
    let total = codes.count + view.keyCount + view.rowCount
    // Safety: the block has room for all parts, which are copied one behind the other.
    memory = .create(minimumCapacity: total) { _ in
      Header(
        layout: layout, groupCount: Int32(groupCount),
        sortCount: Int32(codes.count - groupCount), keyCount: Int32(view.keyCount),
        rowCount: Int32(view.rowCount))
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

  /// Copies a row that is in no query's order.
  init(_ view: RowView, _ layout: RowLayout) {
    unsafe self.init(
      view, layout, codes: UnsafeRawBufferPointer(start: nil, count: 0), groupCount: 0)
  }

  /// Copies a checked row from its parts.
  ///
  /// - Parameters:
  ///   - key: The key's code.
  ///   - row: The row's bytes, which the layout reads.
  ///   - layout: The layout that reads it.
  init(key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, _ layout: RowLayout) {
    guard let view = unsafe RowView(key: key, row: row, layout: layout) else {
      preconditionFailure("A row that is kept was checked before: pass it in its own layout.")
    }
    self.init(view, layout)
  }

  /// What reads the row's bytes.
  var layout: RowLayout { memory.header.layout }

  /// The row as conditions, codes and decoders see it.
  ///
  /// It lies in the block: the caller keeps the row while it uses the view.
  var view: RowView {
    let header = memory.header
    let codes = Int(header.groupCount) + Int(header.sortCount)
    // Safety: the key and the row follow the codes; the row's second byte are its flags.
    return unsafe memory.withUnsafeMutablePointerToElements { start in
      let key = unsafe start + codes
      let row = unsafe key + Int(header.keyCount)
      return unsafe RowView(
        key: UnsafeRawPointer(key), keyCount: Int(header.keyCount), row: UnsafeRawPointer(row),
        rowCount: Int(header.rowCount), isWide: row[1] & RowLayout.wideFlag != 0)
    }
  }

  /// The code that places the row in an order, lent as long as the row is kept.
  @inline(__always)
  func code(in order: Order) -> UnsafeRawBufferPointer { unsafe memory.code(in: order) }

  /// The code of the row's distinct values, lent as long as the row is kept.
  var groupCode: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: code(in: .group)[..<Int(memory.header.groupCount)])
  }

  /// The primary key's code.
  var key: [UInt8] {
    // Safety: the code is copied while the row is kept.
    withExtendedLifetime(self) { unsafe [UInt8](code(in: .key)) }
  }

  /// Whether both are the very same copy.
  @inline(__always)
  func isIdentical(to other: StoredRow) -> Bool { memory === other.memory }
}

extension StoredRow {
  /// A row that somebody else keeps.
  ///
  /// `@unchecked Sendable`: as the row itself.
  @safe
  struct Unretained: @unchecked Sendable {
    private let memory: Unmanaged<ManagedBuffer<Header, UInt8>>

    init(_ row: StoredRow) { unsafe memory = .passUnretained(row.memory) }

    /// The code that places the row in an order, lent as long as somebody keeps the row.
    @inline(__always)
    func code(in order: Order) -> UnsafeRawBufferPointer {
      // Safety: whoever holds this holds what keeps the row.
      unsafe memory._withUnsafeGuaranteedRef { unsafe $0.code(in: order) }
    }
  }
}

extension ManagedBuffer where Header == StoredRow.Header, Element == UInt8 {
  @inline(__always)
  fileprivate func code(in order: StoredRow.Order) -> UnsafeRawBufferPointer {
    unsafe withUnsafeMutablePointers { header, bytes in
      let header = unsafe header.pointee
      // Safety: the parts lie in this order, and the code ends where the key ends.
      let (group, sort) = (Int(header.groupCount), Int(header.sortCount))
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
