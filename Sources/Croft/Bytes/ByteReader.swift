/// Reads bytes from the first to the last; nil where they end too early.
package struct ByteReader {
  /// The bytes that have yet to be read.
  package private(set) var rest: ArraySlice<UInt8>

  /// Reads some bytes.
  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Reads an integer, most significant byte first.
  package mutating func integer<T: FixedWidthInteger>(as type: T.Type = T.self) -> T? {
    bytes(MemoryLayout<T>.size)?.reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
  }

  /// Reads that many bytes.
  package mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

extension [UInt8] {
  /// Appends an integer, most significant byte first.
  package mutating func append(bigEndian value: some FixedWidthInteger) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
