internal import CLMDB

/// The cyclic redundancy check CRC-32C of Castagnoli, as in iSCSI (RFC 3720, section 12.1) and ext4.
struct CRC32C {
  /// Whether the processor has an instruction for it.
  private static let hasInstruction = has_crc32c() != 0
  /// The remainders of all bytes, by the reflected polynomial 0x82F63B78.
  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
  }

  private var register: UInt32 = .max

  /// The check of the bytes added so far.
  var value: UInt32 { ~register }

  /// Adds bytes, in O(*n*).
  mutating func add(_ bytes: RawSpan) {
    guard Self.hasInstruction else { return addByTable(bytes) }
    // Safety: the bytes are read during the call.
    register = unsafe bytes.withUnsafeBytes { bytes in
      unsafe add_crc32c(register, bytes.baseAddress, bytes.count)
    }
  }

  /// Adds bytes without the processor's instruction.
  mutating func addByTable(_ bytes: RawSpan) {
    var sum = register
    let remainders = Self.remainders
    // Safety: the offsets are those of the bytes.
    for offset in bytes.byteOffsets {
      let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      sum = remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
    }
    register = sum
  }

  /// The check of some bytes.
  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var check = CRC32C()
    // Safety: the bytes outlive the call.
    unsafe check.add(bytes.span.bytes)
    return check.value
  }
}
