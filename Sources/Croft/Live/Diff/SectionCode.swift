/// Finds in a row's code the part that says which section it is in: that of the order's first
/// column.
struct SectionCode: Sendable {
  /// How the column is stored.
  let storage: StorageType
  /// Whether the greatest section comes first.
  let isDescending: Bool
  /// The column's place in the declaration.
  let column: Int

  /// The section's code of a row, lent as long as the row is kept.
  func of(_ row: StoredRow) -> UnsafeRawBufferPointer {
    let code = unsafe row.code(in: .query)
    let length = unsafe KeyCode.length(of: storage, in: code, isDescending: isDescending)
    // Safety: the part lies within the code.
    return unsafe UnsafeRawBufferPointer(rebasing: code[..<(length ?? code.count)])
  }

  /// A copy of the section's code of a row.
  func copy(of row: StoredRow) -> [UInt8] {
    // Safety: the row is kept during the call.
    withExtendedLifetime(row) { unsafe [UInt8](of(row)) }
  }

  /// Whether two rows are in one section.
  func isSame(_ left: StoredRow, _ right: StoredRow) -> Bool {
    // Safety: both rows are kept during the call.
    withExtendedLifetime((left, right)) {
      unsafe KeySort.compare(of(left), of(right)) == 0
    }
  }
}
