/// A compiled text pattern, whose text is folded and normalised once.
struct TextMatcher {
  private let kind: TextPattern.Kind
  private let options: TextOptions
  private let needle: ByteNeedle
  private let isASCII: Bool
  /// The tokens of a `like`.
  private let tokens: [LikePattern.Token]
  /// The search of `matches`.
  private let search: SearchMatcher?

  init(_ pattern: TextPattern) {
    kind = pattern.kind
    options = pattern.options
    let folded = TextFolding.folded(pattern.text, pattern.options)
    needle = ByteNeedle(Array(folded.utf8))
    isASCII = needle.bytes.allSatisfy { $0 < 0x80 }
    tokens = kind == .like ? LikePattern(folded).tokens : []
    search = kind == .matches ? SearchMatcher(pattern.text) : nil
  }

  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if let search {
      return unsafe search.matches(text)
    }
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
    return unsafe TextFolding.withFolded(
      text, options, first: kind == .hasPrefix ? needle.bytes.count : .max
    ) { unsafe fits($0) }
  }

  private func fits(_ text: UnsafeRawBufferPointer) -> Bool {
    switch kind {
    case .contains: return unsafe needle.isFound(in: text)
    case .like: return unsafe fitsTokens(text)
    case .equal, .hasPrefix, .hasSuffix, .matches: break
    }
    return unsafe needle.bytes.withUnsafeBytes { needle in
      guard text.count >= needle.count else { return false }
      let part =
        switch kind {
        case .hasPrefix: unsafe UnsafeRawBufferPointer(rebasing: text.prefix(needle.count))
        case .hasSuffix: unsafe UnsafeRawBufferPointer(rebasing: text.suffix(needle.count))
        default: unsafe text
        }
      return unsafe ByteList.compare(part, needle) == 0
    }
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
    if isASCII, unsafe bytes.isASCII { return false }
    // Texts are equal by Swift's rules where their normal forms are.
    return unsafe TextFolding.withFolded(bytes, []) { bytes in
      unsafe normal.withUnsafeBytes { unsafe ByteList.compare(bytes, $0) } == 0
    }
  }

  /// The order of a row's text and this one, as keys have it: negative, zero, positive.
  ///
  /// Not by Swift's `<`, which is not an order where a text is not normalised: neither of
  /// U+212B and U+00C5 U+007F is less than the other, and they are not equal (Swift 6.3).
  func order(of bytes: UnsafeRawBufferPointer) -> Int {
    let order = unsafe utf8.withUnsafeBytes { unsafe ByteList.compare(bytes, $0) }
    // Equal bytes are equal texts, and ASCII needs no normalisation.
    if order == 0 { return 0 }
    if isASCII, unsafe bytes.isASCII { return order }
    return unsafe TextFolding.withFolded(bytes, []) { bytes in
      unsafe normal.withUnsafeBytes { unsafe ByteList.compare(bytes, $0) }
    }
  }
}
