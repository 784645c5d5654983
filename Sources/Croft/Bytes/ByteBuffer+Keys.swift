// How variable-length values enter a key: escaped, ended, and cut where an index must.

extension _ByteBuffer {
  /// The bytes so far.
  var bytes: UnsafeRawBufferPointer {
    // Safety: `count` bytes at `base` are initialised.
    unsafe UnsafeRawBufferPointer(start: base, count: count)
  }

  mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    let added = bytes.count
    reserve(added)
    // Safety: `reserve` made room behind the last byte.
    unsafe base.advanced(by: count).copyMemory(from: source, byteCount: added)
    count += added
  }

  /// Appends each byte, 00 as 00 FF, and the end mark 00 00.
  @usableFromInline
  mutating func appendEscaped(_ bytes: UnsafeRawBufferPointer) {
    if unsafe bytes.contains(0) {
      for place in 0..<bytes.count {
        let byte = unsafe bytes[place]
        append(byte)
        if byte == 0 { append(0xFF) }
      }
    } else {
      unsafe append(contentsOf: bytes)
    }
    append(bigEndian: 0 as UInt16)
  }

  /// Appends a text's normalised form, escaped and ended.
  @usableFromInline
  mutating func appendNormalized(_ utf8: UnsafeRawBufferPointer) {
    if unsafe NormalForm.isASCII(utf8) {
      unsafe appendEscaped(utf8)
    } else {
      var normal = unsafe NormalForm.canonicalComposition(of: String(decoding: utf8, as: UTF8.self))
      // Safety: the bytes are copied before the buffer is given back.
      normal.withUTF8 { unsafe appendEscaped(UnsafeRawBufferPointer($0)) }
    }
  }

  /// Appends a text's case-folded form, escaped and ended.
  mutating func appendCaseFolded(_ utf8: UnsafeRawBufferPointer) {
    // Safety: the text is copied while the caller lends the bytes.
    var folded = unsafe CaseFolding.folded(String(decoding: utf8, as: UTF8.self))
    // Safety: the bytes are copied before the buffer is given back.
    folded.withUTF8 { unsafe appendEscaped(UnsafeRawBufferPointer($0)) }
  }

  /// Inverts the bytes from `start` on: their order turns round.
  mutating func invert(from start: Int) {
    for offset in start..<count {
      // Safety: the offsets are below `count`.
      let byte = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
      unsafe base.storeBytes(of: ~byte, toByteOffset: offset, as: UInt8.self)
    }
  }
}
