/// One value's bytes as a row holds them, at a fixed address.
///
/// `@unchecked Sendable`: immutable after init; the memory goes with it.
@safe
final class FieldValue: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer

  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, bytes.count), alignment: 16)
    // Safety: the memory was just made, and is freed once, by `deinit`.
    unsafe copy.copyBytes(from: bytes)
    unsafe self.bytes = UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
  }

  deinit { unsafe bytes.baseAddress?.deallocate() }

  /// What a value starts as that cannot be carried: zero, or empty.
  static func zero(of storage: StorageType) -> FieldValue {
    let isCode = storage.kind == .decimal || storage.kind == .compound
    guard isCode, storage.collection == nil else {
      return FieldValue([UInt8](repeating: 0, count: storage.width))
    }
    return FieldValue(StoredValue.zero(of: storage).keyCode(kind: storage.kind))
  }
}

/// The defaults that the catalog stores for fields, by the fields' numbers.
struct FieldValues {
  /// The values of rows whose layout lacks the field.
  let oldRows: [Int: FieldValue]
  /// The values that a nil is read as where a program needs one.
  let declared: [Int: FieldValue]

  init(_ entry: CatalogEntry) {
    func values(_ bytes: (CatalogEntry.Field) -> [UInt8]?) -> [Int: FieldValue] {
      Dictionary(
        entry.fields.compactMap { field in bytes(field).map { (field.id, FieldValue($0)) } },
        uniquingKeysWith: { first, _ in first })
    }
    oldRows = values { $0.defaultForOldRows.map { [UInt8]($0) } }
    declared = values { $0.declaredDefault.map { [UInt8]($0) } }
  }
}

/// The value of a field in new rows that the program does not declare.
enum HiddenValue: Sendable {
  case absent
  case value(FieldValue)
  /// The field needs a value, and the catalog has none.
  case missing
}
