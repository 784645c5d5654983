/// A key of a terminal, or a text that was pasted.
enum Key: Equatable {
  case text(Unicode.Scalar)
  /// A bracketed paste: its newlines are text.
  case paste(String)
  case left, right, up, down, home, end, delete, backspace, tab, enter
  case wordLeft, wordRight
  /// A letter, or one of `_`, `\`, with the control key.
  case control(Character)
  /// A letter after Escape, as the Alt key sends it; `\u{7F}` is Backspace.
  case meta(Character)
  /// A sequence without a meaning, or bytes that are not UTF-8.
  case unknown
}

/// Decodes the bytes that a terminal sends into keys.
///
/// A character or an escape sequence may come in several parts; the rest of it is waited for.
/// Sequences are those of ECMA-48 as xterm sends them. A paste is between `ESC [ 200 ~` and
/// `ESC [ 201 ~`.
struct KeyDecoder {
  private var bytes: [UInt8] = []
  private var pasted: [UInt8]?

  /// Whether the end of a paste has not come yet.
  var isPasting: Bool { pasted != nil }

  /// Whether Escape has come, and nothing after it: it may begin a sequence.
  var hasEscape: Bool { bytes == [Self.escape] }

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

  /// Decodes bytes together with what was left of earlier ones.
  ///
  /// - Complexity: O(n) in the bytes.
  mutating func keys(from newBytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in newBytes {
      if pasted != nil {
        if let key = addPasted(byte) { keys.append(key) }
        continue
      }
      bytes.append(byte)
      if let key = decoded() { keys += key }
    }
    return keys
  }

  /// Adds a byte of a paste; the paste when that was its last byte.
  private mutating func addPasted(_ byte: UInt8) -> Key? {
    pasted?.append(byte)
    guard byte == UInt8(ascii: "~"), let text = pasted, text.count >= Self.pasteEnd.count,
      text.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd)
    else { return nil }
    pasted = nil
    return .paste(Self.cleaned(text.dropLast(Self.pasteEnd.count)))
  }

  /// The text of a paste: with newlines of one kind, and without other control characters.
  private static func cleaned(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    var wasReturn = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      defer { wasReturn = scalar == "\r" }
      switch scalar {
      case "\r": text.unicodeScalars.append("\n")
      case "\n": if !wasReturn { text.unicodeScalars.append("\n") }
      case "\t": text.unicodeScalars.append(" ")
      case _ where scalar.properties.generalCategory == .control: break
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The keys that the bytes are; nil while more bytes are needed.
  private mutating func decoded() -> [Key]? {
    guard let first = bytes.first else { return nil }
    if first == Self.escape { return sequence() }
    if first >= 0x80 { return character() }
    bytes = []
    switch first {
    case 0x7F, 0x08: return [.backspace]
    case 0x09: return [.tab]
    case 0x0A, 0x0D: return [.enter]
    case ..<0x20:
      return [.control(Character(Unicode.Scalar(first | 0x40)))]
    default: return [.text(Unicode.Scalar(first))]
    }
  }

  private mutating func character() -> [Key]? {
    let length = bytes[0] < 0xC2 ? 1 : bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4
    if bytes.count > 1, let last = bytes.last, last & 0xC0 != 0x80 {
      // The character is incomplete: the byte after it begins a key of its own.
      bytes = [last]
      return [.unknown] + (decoded() ?? [])
    }
    if bytes.count < length { return nil }
    defer { bytes = [] }
    guard let text = String(validating: bytes, as: UTF8.self) else { return [.unknown] }
    return text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? .unknown : .text(scalar)
    }
  }

  private mutating func sequence() -> [Key]? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["):
      guard let last = bytes.dropFirst(2).last else { return nil }
      if last == Self.escape {
        bytes = [last]
        return [.unknown]
      }
      guard (0x40...0x7E).contains(last) else { return nil }
      let parameters = String(decoding: bytes[2..<(bytes.count - 1)], as: UTF8.self)
      bytes = []
      if last == UInt8(ascii: "~"), parameters == "200" {
        pasted = []
        return []
      }
      return [Self.key(of: last, parameters)]
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return nil }
      let last = bytes[2]
      bytes = []
      return [Self.key(of: last, "")]
    case Self.escape:
      bytes.removeFirst()
      return nil
    case 0x80...:
      bytes.removeFirst()
      return nil
    default:
      let byte = bytes[1]
      bytes = []
      return byte == 0x08 ? [.meta("\u{7F}")] : [.meta(Character(Unicode.Scalar(byte)))]
    }
  }

  private static func key(of last: UInt8, _ parameters: String) -> Key {
    // The second parameter says which keys are held: 5 is control, 3 is Alt.
    let isByWord = parameters.hasSuffix(";5") || parameters.hasSuffix(";3") || parameters == "5"
    switch last {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return isByWord ? .wordRight : .right
    case UInt8(ascii: "D"): return isByWord ? .wordLeft : .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "~"):
      switch parameters.prefix(while: { $0 != ";" }) {
      case "1", "7": return .home
      case "4", "8": return .end
      case "3": return .delete
      default: return .unknown
      }
    default: return .unknown
    }
  }
}
