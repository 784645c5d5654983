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

  /// Copies the codes of the lengths of some ascending numbers of a group, as far as it has them.
  static func readLengths(
    of numbers: ArraySlice<UInt32>, in group: RawSpan, properties: Int, to lengths: inout [UInt8],
    at start: Int
  ) {
    var reader = VariableReader(offset: 0)
    var (ordinal, target): (UInt32, Int) = (0, start)
    for number in numbers {
      let wanted = number % TextIndexKey.numbersPerGroup
      while true {
        guard let count = reader.next(in: group), reader.skip(count, in: group) else { return }
        let codes = reader.offset
        guard reader.skip(count > 0 ? UInt64(properties) : 0, in: group) else { return }
        ordinal += 1
        if ordinal <= wanted { continue }
        if count > 0 {
          for property in 0..<properties {
            lengths[target + property] = group.byte(at: codes + property)
          }
        }
        break
      }
      target += properties
    }
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
