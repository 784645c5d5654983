import Croft
import CroftTool
import Foundation

/// Values as texts: for people, in addresses, and in the query language.
enum ValueText {
  /// A value as people read it.
  static func plain(_ value: StoredValue) -> String {
    switch value {
    case .data(let bytes): bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
    case .list(let values): "[" + values.map(plain).joined(separator: ", ") + "]"
    default: CroftTool.ValueText.plain(value, nothing: "nil")
    }
  }

  /// A part of a key as a text that ``value(_:as:)`` reads.
  static func key(_ value: StoredValue) -> String {
    switch value {
    // All digits, where a date for people may lack some.
    case .date(let seconds): "\(seconds)"
    case .data(let bytes): bytes.map(hexadecimal).joined()
    default: plain(value)
    }
  }

  /// The value that a text of a key means; nil for a text that is not of the kind.
  static func value(_ text: String, as kind: StorageType.Kind) -> StoredValue? {
    switch kind {
    case .bool: Bool(text).map { .bool($0) }
    case .int8, .int16, .int32, .int64: Int64(text).map { .int($0) }
    case .uint8, .uint16, .uint32, .uint64: UInt64(text).map { .uint($0) }
    case .float, .double: Double(text).map { .double($0) }
    case .date: Double(text).map { .date($0) }
    case .uuid: UUID(uuidString: text)?.stored
    case .string: .string(text)
    case .data: bytes(text).map { .data($0) }
    case .decimal: decimal(text)
    case .coded, .compound: nil
    }
  }

  private static func decimal(_ text: String) -> StoredValue? {
    // The beginning of another text is a number, too.
    guard text.wholeMatch(of: #/-?[0-9]+(\.[0-9]+)?/#) != nil,
      let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    else { return nil }
    return .decimal(number)
  }

  /// A value as people read it, of a compound key its parts.
  static func plain(_ value: StoredValue, _ type: StorageType) -> String {
    guard let parts = value.keyParts(of: type) else { return plain(value) }
    return parts.map { key($0).visible }.joined(separator: ", ")
  }

  /// A value as a literal of the query language; nil where it has none.
  static func literal(_ value: StoredValue) -> String? {
    switch value {
    case .none, .list: nil
    case .double(let number): number.isFinite ? value.literal : nil
    case .decimal(let number): number.isFinite ? value.literal : nil
    case .date: value.literal.hasSuffix("Z") ? value.literal : nil
    case .bool, .int, .uint, .uuid, .string, .data: value.literal
    }
  }

  private static func uuidBytes(_ high: UInt64, _ low: UInt64) -> [UInt8] {
    [high, low].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    var (data, rest) = ([UInt8](), text[...])
    while !rest.isEmpty {
      guard rest.count > 1, let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      data.append(byte)
      rest = rest.dropFirst(2)
    }
    return data
  }
}

extension ValueText {
  /// The beginning of a text, with at most so many characters, and whether it is all of it.
  ///
  /// - Complexity: O(*count*), however long the text is, and however many marks a letter has.
  static func beginning(of text: String, _ count: Int) -> (text: String, isAll: Bool) {
    let scalars = text.unicodeScalars
    let end =
      scalars.index(
        scalars.startIndex, offsetBy: count * scalarsPerCharacter, limitedBy: scalars.endIndex)
      ?? scalars.endIndex
    let part = String(scalars[..<end])
    let beginning = part.prefix(count)
    return (String(beginning), end == scalars.endIndex && beginning.endIndex == part.endIndex)
  }

  /// A remark on a text whose beginning alone is shown: how much of it that is.
  ///
  /// - Parameters:
  ///   - beginning: What is shown.
  ///   - text: The text.
  ///   - countedBytes: The most bytes of a text whose characters are counted; of a longer one the bytes are told.
  static func extent(
    of beginning: String, in text: String, countedBytes: Int = countedBytesMax
  ) -> String {
    let bytes = text.utf8.count
    if bytes > countedBytes { return "… \(beginning.count) characters of \(bytes) bytes" }
    return "… \(beginning.count) of \(text.count) characters"
  }

  /// The most bytes of a text whose characters a page counts.
  static let countedBytesMax = 1 << 20

  /// How many scalars of a text are read for each character, at most.
  private static let scalarsPerCharacter = 8

  /// The words of a UUID as Foundation's.
  static func foundation(_ high: UInt64, _ low: UInt64) -> UUID {
    let bytes = uuidBytes(high, low)
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
        bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }
}

extension StoredValue {
  /// The value as a parameter of a query.
  var parameter: any Storable {
    switch self {
    case .none, .list: Int64?.none
    case .bool(let value): value
    case .int(let value): value
    case .uint(let value): value
    case .double(let value): value
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .uuid(let high, let low): ValueText.foundation(high, low)
    case .string(let text): text
    case .data(let bytes): Data(bytes)
    case .decimal(let number): number
    }
  }
}

extension StoredModel.Property {
  /// A value as people read it: a case of an enum by its name, also in a collection.
  func text(of value: StoredValue) -> String {
    guard !cases.isEmpty, case .list(let values) = value else {
      return caseName(of: value) ?? ValueText.plain(value, type)
    }
    let texts = values.enumerated().map { place, value in
      // The keys of a dictionary are texts.
      let isKey = type.collection == .dictionary && place.isMultiple(of: 2)
      return isKey ? ValueText.plain(value) : text(of: value)
    }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  /// The name of the case that has a raw value; nil where no case is known.
  func caseName(of value: StoredValue) -> String? {
    cases.first { $0.value == value }?.name
  }
}
