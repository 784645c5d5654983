/// The primary keys of 32 numbers in a row, and the lengths of their rows' texts.
///
/// For each number it has the length of the key as an integer of variable length, the key, and the
/// code of each property's length; of a dead number 0 alone.
enum OwnerGroup {
  /// A number's part of a group.
  struct Owner {
    /// Where its part is among the bytes.
    let part: Range<Int>
    /// Where the key is; empty for a dead number.
    let key: Range<Int>
    /// Where the codes of the lengths are.
    let lengths: Range<Int>
  }

  /// The parts of a group, in the order of the numbers; nil where it is damaged.
  static func owners(in bytes: [UInt8], properties: Int) -> [Owner]? {
    // Safety: the array outlives the reader.
    let group = unsafe bytes.span.bytes
    var owners: [Owner] = []
    var reader = VariableReader(offset: 0)
    while reader.offset < group.byteCount {
      let start = reader.offset
      guard let count = reader.next(in: group) else { return nil }
      let key = reader.offset
      guard reader.skip(count, in: group) else { return nil }
      let lengths = reader.offset
      guard reader.skip(count > 0 ? UInt64(properties) : 0, in: group) else { return nil }
      owners.append(
        Owner(
          part: start..<reader.offset, key: key..<lengths, lengths: lengths..<reader.offset))
    }
    return owners.count <= Int(TextIndexKey.numbersPerGroup) ? owners : nil
  }

  /// Appends the part of a number.
  static func append(
    _ key: UnsafeRawBufferPointer, lengths: [Int], to group: inout _ByteBuffer
  ) {
    group.append(variable: UInt64(key.count))
    // Safety: the key is copied during the call.
    unsafe group.append(contentsOf: key)
    for length in lengths { group.append(TextLength.code(of: length)) }
  }
}
