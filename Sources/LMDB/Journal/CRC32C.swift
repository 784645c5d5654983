/// The cyclic redundancy check CRC-32C of Castagnoli, as in iSCSI (RFC 3720, section 12.1) and ext4.
struct CRC32C {
  /// The remainders of all bytes, by the reflected polynomial 0x82F63B78.
  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
  }

  private var register: UInt32 = .max

  /// The check of the bytes added so far.
  var value: UInt32 { ~register }

  /// Adds bytes, in O(*n*).
  mutating func add(_ bytes: some Sequence<UInt8>) {
    var sum = register
    let remainders = Self.remainders
    for byte in bytes { sum = remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    register = sum
  }

  /// The check of some bytes.
  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var check = CRC32C()
    check.add(bytes)
    return check.value
  }
}
