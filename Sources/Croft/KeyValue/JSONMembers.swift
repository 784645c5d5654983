#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The members of a JSON object, with each value as its unparsed text.
///
/// A value that is not asked for is neither decoded nor encoded, so a save changes no digit of it.
struct JSONMembers {
  private var members: [(key: String, json: Data)] = []

  /// Makes an object without members.
  init() {}

  /// Reads the members of an object; nil if the bytes are no JSON object.
  init?(_ bytes: Data) {
    let bytes = [UInt8](bytes)
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    // Decoding reads the whole text, so the scanner can rely on a valid object in UTF-8.
    guard String(validating: text, as: UTF8.self) != nil,
      (try? JSONDecoder().decode([String: Skipped].self, from: Data(text))) != nil
    else { return nil }
    var scanner = MemberScanner(bytes: text)
    while let (key, json) = scanner.next() { self[key] = json }
  }

  /// Any value, which is skipped.
  private struct Skipped: Decodable {
    init(from decoder: any Decoder) {}
  }

  /// The text of a value; the last one if a key occurs twice.
  subscript(key: String) -> Data? {
    get { members.last { $0.key == key }?.json }
    set {
      let place = members.firstIndex { $0.key == key }
      switch (place, newValue) {
      case (let place?, let json?): members[place].json = json
      case (let place?, nil): members.remove(at: place)
      case (nil, let json?): members.append((key, json))
      case (nil, nil): break
      }
    }
  }

  /// The object as text, with a member on each line.
  func json() throws -> [UInt8] {
    let lines = try members.map { key, json in
      "  " + String(decoding: try StorageCoding.json(key, key), as: UTF8.self) + ": "
        + String(decoding: json, as: UTF8.self)
    }
    let body = lines.isEmpty ? "" : "\n" + lines.joined(separator: ",\n") + "\n"
    return Array("{\(body)}\n".utf8)
  }
}

/// Finds the members of a valid JSON object.
private struct MemberScanner {
  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The next key and the text of its value.
  mutating func next() -> (key: String, json: Data)? {
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") { place += 1 }
    guard place < bytes.count else { return nil }
    let keyStart = place
    skipString()
    // The text is valid JSON, so a key is a string.
    guard
      let key = try? JSONDecoder().decode(String.self, from: Data(bytes[keyStart..<place]))
    else { return nil }
    while bytes[place] != UInt8(ascii: ":") { place += 1 }
    place += 1
    let start = place
    skipValue()
    return (key, Data(bytes[start..<place]).trimmingSpace)
  }

  /// Moves behind a value, to the comma or the brace that follows it.
  private mutating func skipValue() {
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        skipString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}") where depth == 0, UInt8(ascii: ",") where depth == 0: return
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      place += 1
    }
  }

  /// Moves behind a string, from its first quotation mark.
  private mutating func skipString() {
    place += 1
    while bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    place += 1
  }
}

extension Data {
  fileprivate var trimmingSpace: Data {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard let first = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return Data() }
    return Data(self[first...last])
  }
}
