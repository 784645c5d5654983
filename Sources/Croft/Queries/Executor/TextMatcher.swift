#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A compiled text pattern, whose text is folded and normalised once.
struct TextMatcher {
  private let kind: TextPattern.Kind
  private let options: TextOptions
  private let needle: [UInt8]
  private let isASCII: Bool
  /// The tokens of a `like`.
  private let tokens: [LikePattern.Token]

  init(_ pattern: TextPattern) {
    kind = pattern.kind
    options = pattern.options
    let folded = TextFolding.folded(pattern.text, pattern.options)
    needle = Array(folded.utf8)
    isASCII = needle.allSatisfy { $0 < 0x80 }
    tokens = kind == .like ? LikePattern(folded).tokens : []
  }

  /// Whether a row's text matches.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if unsafe text.isASCII {
      // An ASCII text folds to ASCII only.
      guard isASCII else { return false }
      guard options.contains(.caseInsensitive) else { return unsafe fits(text) }
      // Safety: the folded text has as many bytes as the row's.
      return unsafe withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { folded in
        for place in 0..<text.count {
          let byte = unsafe text[place]
          unsafe folded[place] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
        }
        return unsafe fits(UnsafeRawBufferPointer(folded))
      }
    }
    var folded = unsafe TextFolding.folded(String(decoding: text, as: UTF8.self), options)
    // Safety: the bytes are read while the text lives.
    return folded.withUTF8 { unsafe fits(UnsafeRawBufferPointer($0)) }
  }

  /// Whether folded bytes match.
  private func fits(_ text: UnsafeRawBufferPointer) -> Bool {
    unsafe needle.withUnsafeBytes { needle in
      switch kind {
      case .equal: return unsafe ByteList.compare(text, needle) == 0
      case .contains: return unsafe Self.contains(text, needle)
      case .hasPrefix:
        return unsafe text.count >= needle.count
          && ByteList.compare(UnsafeRawBufferPointer(rebasing: text.prefix(needle.count)), needle)
            == 0
      case .hasSuffix:
        return unsafe text.count >= needle.count
          && ByteList.compare(UnsafeRawBufferPointer(rebasing: text.suffix(needle.count)), needle)
            == 0
      case .like: return unsafe fitsTokens(text)
      }
    }
  }

  private static func contains(
    _ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer
  ) -> Bool {
    guard let first = unsafe needle.first, let pattern = needle.baseAddress else { return true }
    guard var place = text.baseAddress else { return false }
    // Safety: `left` bytes from `place` on are in the text.
    var left = text.count
    while left >= needle.count,
      let found = unsafe memchr(place, Int32(first), left - needle.count + 1)
    {
      if unsafe memcmp(found, pattern, needle.count) == 0 { return true }
      left -= unsafe UnsafeRawPointer(found) - place + 1
      unsafe place = UnsafeRawPointer(found) + 1
    }
    return false
  }

  /// Matches wildcards: after a mismatch the last `*` takes one more scalar.
  private func fitsTokens(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let text = unsafe Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    var (at, token) = (0, 0)
    var star: (token: Int, at: Int)?
    while at < text.count {
      if token < tokens.count, tokens[token] == .any {
        star = (token, at)
        token += 1
      } else if token < tokens.count,
        tokens[token] == .one || tokens[token] == .scalar(text[at])
      {
        at += 1
        token += 1
      } else if let last = star {
        star = (last.token, last.at + 1)
        (token, at) = (last.token + 1, last.at + 1)
      } else {
        return false
      }
    }
    return tokens[token...].allSatisfy { $0 == .any }
  }
}

/// Folds texts so that those which differ only in what the options ignore become equal.
enum TextFolding {
  /// The text in normalisation form C, folded by the options.
  static func folded(_ text: String, _ options: TextOptions) -> String {
    var folded = text
    if options.contains(.diacriticInsensitive) { folded = withoutMarks(folded) }
    return options.contains(.caseInsensitive)
      ? TextKey.caseFolded(folded) : TextKey.canonicalComposition(of: folded)
  }

  /// The text without the marks of Unicode's blocks of combining diacritical marks.
  private static func withoutMarks(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var rest = ""
    for scalar in TextKey.canonicalDecomposition(of: text)
    where !isMark(scalar) { rest.unicodeScalars.append(scalar) }
    return rest
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }
}

/// A text to compare with, prepared so that ASCII texts compare as bytes.
struct TextTest {
  let text: String
  let utf8: [UInt8]
  let isASCII: Bool
  /// The bytes of the normalised form.
  private let normal: [UInt8]

  init(_ text: String) {
    self.text = text
    utf8 = Array(text.utf8)
    isASCII = utf8.allSatisfy { $0 < 0x80 }
    normal = isASCII ? utf8 : Array(TextKey.canonicalComposition(of: text).utf8)
  }

  /// Whether a row's text equals this one, by Swift's rules.
  func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
    if unsafe utf8.withUnsafeBytes({ unsafe ByteList.compare(bytes, $0) }) == 0 { return true }
    // ASCII needs no normalisation.
    if isASCII, unsafe bytes.isASCII { return false }
    return unsafe String(decoding: bytes, as: UTF8.self) == text
  }

  /// The order of a row's text and this one, as keys have it: negative, zero, positive.
  ///
  /// Not by Swift's `<`, which is no order where a text is not normalised: neither of
  /// U+212B and U+00C5 U+007F is less than the other, and they are not equal (Swift 6.3).
  func order(of bytes: UnsafeRawBufferPointer) -> Int {
    let order = unsafe utf8.withUnsafeBytes { unsafe ByteList.compare(bytes, $0) }
    // Equal bytes are equal texts, and ASCII needs no normalisation.
    if order == 0 { return 0 }
    if isASCII, unsafe bytes.isASCII { return order }
    var other = unsafe TextKey.canonicalComposition(
      of: String(decoding: bytes, as: UTF8.self))
    return unsafe normal.withUnsafeBytes { normal in
      other.withUTF8 { unsafe ByteList.compare(UnsafeRawBufferPointer($0), normal) }
    }
  }
}
