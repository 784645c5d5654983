#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One value's bytes as they lie in a row, at a place in memory that does not change.
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
}

extension FieldValue {
  /// What a value starts as that cannot be carried: zero, or empty.
  static func zero(of storage: StorageType) -> FieldValue {
    let isCode = storage.kind == .decimal || storage.kind == .compound
    guard isCode, storage.collection == nil else {
      return FieldValue([UInt8](repeating: 0, count: storage.width))
    }
    var code = _ByteBuffer()
    StoredValue.zero(of: storage).appendKey(kind: storage.kind, to: &code, cut: nil)
    return unsafe FieldValue([UInt8](code.bytes))
  }
}
