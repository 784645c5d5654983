import CroftLibc

/// Bytes that texts are searched for.
struct ByteNeedle {
  let bytes: [UInt8]
  /// The place of the last byte of the first scalar.
  ///
  /// It tells scalars apart: in most scripts all have one of a few first bytes.
  private let anchor: Int

  /// Makes a needle of UTF-8.
  init(_ utf8: [UInt8]) {
    bytes = utf8
    let isFirst = { (byte: UInt8) in byte & 0xC0 != 0x80 }
    anchor = max(0, (utf8.dropFirst().firstIndex(where: isFirst) ?? utf8.count) - 1)
  }

  /// Whether a text contains the bytes.
  func isFound(in text: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.withUnsafeBytes { needle in
      guard let pattern = needle.baseAddress, unsafe !needle.isEmpty else { return true }
      guard let start = text.baseAddress, text.count >= needle.count else { return false }
      // Safety: `left` bytes from `place` on are in the text, and `anchor` bytes are before it, and
      // the rest of the needle's bytes are after those.
      let byte = unsafe Int32(needle[anchor])
      var place = unsafe start + anchor
      var left = text.count - needle.count + 1
      while left > 0, let found = unsafe memchr(place, byte, left) {
        let found = UnsafeRawPointer(found)
        if unsafe memcmp(found - anchor, pattern, needle.count) == 0 { return true }
        left -= unsafe found - place + 1
        unsafe place = found + 1
      }
      return false
    }
  }
}
