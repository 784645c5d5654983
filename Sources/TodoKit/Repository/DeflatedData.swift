internal import CZlib
import CroftFoundation

/// Bytes that zlib has compressed, as the store keeps what undoes a command of many rows.
///
/// The rows of a command are much alike as JSON, which becomes a sixth of its bytes. Earlier programs wrote plain JSON,
/// which is read too.
enum DeflatedData {
  /// Begins compressed bytes: no JSON begins with it.
  private static let mark: UInt8 = 0x7A
  /// The level of zlib: on such JSON half the time of 6, its default, for an eighth more bytes.
  private static let level: Int32 = 4
  /// The mark, and the number of bytes before they were compressed, little-endian.
  private static let headBytes = 1 + MemoryLayout<UInt64>.size

  /// Compresses bytes; those that cannot be compressed stay plain.
  static func deflating(_ plain: Data) -> Data {
    var count = compressBound(uLong(plain.count))
    var deflated = Data(count: headBytes + Int(count))
    let status = deflated.withUnsafeMutableBytes { target in
      plain.withUnsafeBytes { source in
        compress2(
          target.baseAddress?.advanced(by: headBytes).assumingMemoryBound(to: Bytef.self), &count,
          source.bindMemory(to: Bytef.self).baseAddress, uLong(plain.count), level)
      }
    }
    guard status == Z_OK, headBytes + Int(count) < plain.count else { return plain }
    deflated[0] = mark
    for byte in 1..<headBytes {
      deflated[byte] = UInt8(truncatingIfNeeded: plain.count >> (8 * (byte - 1)))
    }
    return deflated.prefix(headBytes + Int(count))
  }

  /// The bytes that were compressed.
  ///
  /// - Throws: ``TodoError/historyIncomplete`` where they are not what ``deflating(_:)`` returned.
  static func inflating(_ stored: Data) throws -> Data {
    guard stored.first == mark else { return stored }
    let head = stored.prefix(headBytes)
    let size = head.dropFirst().reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // zlib compresses 1,032 bytes to one at best, so a larger size is damage and needs no memory.
    guard head.count == headBytes, size <= UInt64(stored.count) * 1_032 else {
      throw TodoError.historyIncomplete
    }
    var plain = Data(count: Int(size))
    var count = uLong(size)
    let status = plain.withUnsafeMutableBytes { target in
      stored.withUnsafeBytes { source in
        uncompress(
          target.bindMemory(to: Bytef.self).baseAddress, &count,
          source.baseAddress?.advanced(by: headBytes).assumingMemoryBound(to: Bytef.self),
          uLong(stored.count - headBytes))
      }
    }
    guard status == Z_OK, count == uLong(size) else { throw TodoError.historyIncomplete }
    return plain
  }
}
