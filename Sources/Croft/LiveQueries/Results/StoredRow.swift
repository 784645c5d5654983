/// A row kept in memory: an immutable copy of its key and its bytes.
///
/// `@unchecked Sendable`: the block is written once, by the initialiser, before anybody else sees it.
@safe
struct StoredRow: @unchecked Sendable {
  private struct Header {
    let layout: RowLayout
    let keyCount: Int
    let rowCount: Int
  }

  private let memory: ManagedBuffer<Header, UInt8>

  /// Copies a row.
  ///
  /// - Parameters:
  ///   - view: The row, in the layout.
  ///   - layout: The layout that reads it.
  init(_ view: RowView, _ layout: RowLayout) {
    memory = .create(minimumCapacity: view.keyCount + view.rowCount) { _ in
      Header(layout: layout, keyCount: view.keyCount, rowCount: view.rowCount)
    }
    // Safety: the block has room for both parts, which are copied one behind the other.
    unsafe memory.withUnsafeMutablePointerToElements { start in
      let start = UnsafeMutableRawPointer(start)
      unsafe start.copyMemory(from: view.key, byteCount: view.keyCount)
      unsafe (start + view.keyCount).copyMemory(from: view.row, byteCount: view.rowCount)
    }
  }

  /// What reads the row's bytes.
  var layout: RowLayout { memory.header.layout }

  /// The row, which lies in the block: the caller keeps the row while it uses the view.
  var view: RowView {
    let header = memory.header
    // Safety: the row follows the key; its second byte are its flags.
    return unsafe memory.withUnsafeMutablePointerToElements { key in
      let row = unsafe key + header.keyCount
      return unsafe RowView(
        key: UnsafeRawPointer(key), keyCount: header.keyCount, row: UnsafeRawPointer(row),
        rowCount: header.rowCount, isWide: row[1] & RowLayout.wideFlag != 0)
    }
  }
}
