import CroftFoundation

/// What tells one picture from another: its size, and a hash of its bytes.
///
/// Of more than 64 KiB some 4,096 bytes are taken, evenly spread, so that a list of groups does not cost a
/// pass over all pictures. Files of another compressed picture differ everywhere; of two pictures that are stored
/// without compression, a small change may be missed.
public struct PictureMark: Hashable, Sendable, CustomStringConvertible {
  private let byteCount: Int
  private let hash: UInt64

  init(of image: GroupImage) {
    let bytes = image.bytes
    byteCount = bytes.count
    let step = bytes.count > 1 << 16 ? bytes.count / 4096 : 1
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for byte in image.mimeType.utf8 { add(byte) }
    for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: step) { add(bytes[place]) }
    self.hash = hash
  }

  /// The mark as text, for addresses.
  public var description: String { "\(String(hash, radix: 16))-\(byteCount)" }
}
