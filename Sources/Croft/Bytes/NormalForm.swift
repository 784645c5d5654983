@_spi(_Unicode) import Swift

/// Unicode's normalisation form C, behind one function so that its source can change.
enum NormalForm {
  /// The text in normalisation form C (Unicode Standard Annex 15).
  ///
  /// The standard library has it behind an underscored interface; FoundationEssentials
  /// has none, and Foundation would cost a prompt its start-up time.
  static func canonicalComposition(of text: String) -> String {
    var normal = ""
    normal.unicodeScalars.append(contentsOf: text._nfc)
    return normal
  }

  /// The text in normalisation form D.
  static func canonicalDecomposition(of text: String) -> String.UnicodeScalarView {
    var normal = String.UnicodeScalarView()
    normal.append(contentsOf: text._nfd)
    return normal
  }

  /// Whether all bytes are ASCII, which is in normalisation form C already.
  static func isASCII(_ utf8: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    let count = utf8.count
    while index &+ 8 <= count {
      // Safety: eight bytes from `index` on lie in the buffer.
      let word = unsafe utf8.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      index &+= 8
    }
    while index < count {
      if unsafe utf8[index] >= 0x80 { return false }
      index &+= 1
    }
    return true
  }
}
