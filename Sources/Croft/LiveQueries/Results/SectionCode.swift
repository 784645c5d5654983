/// Finds in a row's code the part that says which section it is in: the first column's.
struct SectionCode: Sendable {
  /// How the column is stored.
  let storage: StorageType
  /// Whether the greatest section comes first.
  let isDescending: Bool

  /// The section's code of a row, lent as long as the row is kept.
  func of(_ row: StoredRow) -> UnsafeRawBufferPointer {
    let code = unsafe row.code(in: .query)
    let length = unsafe KeyCode.length(of: storage, in: code, isDescending: isDescending)
    // Safety: the part lies within the code.
    return unsafe UnsafeRawBufferPointer(rebasing: code[..<(length ?? code.count)])
  }

  /// Whether two rows are in one section.
  func isSame(_ left: StoredRow, _ right: StoredRow) -> Bool {
    // Safety: both rows are kept during the call.
    withExtendedLifetime((left, right)) {
      unsafe KeySort.compare(of(left), of(right)) == 0
    }
  }
}
