import Foundation

// As Swift code, and as JSON for other processes: both keep every bit.

extension Value: CustomStringConvertible {
  /// The value as Swift code.
  package var description: String {
    switch self {
    case .null: ".null"
    case .bool(let value): ".bool(\(value))"
    case .int(let value): ".int(\(value))"
    case .uint(let value): ".uint(\(value))"
    case .real(let value): ".real(\(Self.code(value)))"
    case .date(let value): ".date(\(Self.code(value)))"
    case .text(let value): Self.isRepeated(value) ?? ".text(\(Self.code(value)))"
    case .bytes(let value): ".bytes(\(value))"
    case .uuid(let value): ".uuid(\(value))"
    case .decimal(let value): ".decimal(\"\(value)\")"
    case .list(let values): ".list([\(values.map(\.description).joined(separator: ", "))])"
    case .parts(let values): ".parts([\(values.map(\.description).joined(separator: ", "))])"
    }
  }

  private static func code(_ number: Double) -> String {
    if number.isNaN { return ".nan" }
    if number.isInfinite { return number > 0 ? ".infinity" : "-.infinity" }
    return "\(number)"
  }

  /// A text as a Swift literal.
  static func code(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      scalar.isASCII && scalar.value >= 0x20 && scalar != "\"" && scalar != "\\"
        ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }
    return "\"\(scalars.joined())\""
  }

  /// A long text that repeats one character, in short.
  private static func isRepeated(_ text: String) -> String? {
    guard text.count > 40, let first = text.first else { return nil }
    let tail = text.drop { $0 == first }
    let count = text.count - tail.count
    guard count > 20 else { return nil }
    return
      ".text(String(repeating: \(code(String(first))), count: \(count)) + \(code(String(tail))))"
  }
}

extension Value: Codable {
  private enum Tag: String, Codable {
    case null, bool, int, uint, real, date, text, bytes, uuid, decimal, list, parts
  }

  /// Reads a value that ``encode(to:)`` wrote.
  package init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    switch try container.decode(Tag.self) {
    case .null: self = .null
    case .bool: self = .bool(try container.decode(Bool.self))
    case .int: self = .int(try container.decode(Int64.self))
    case .uint: self = .uint(try container.decode(UInt64.self))
    case .real: self = .real(Double(bitPattern: try container.decode(UInt64.self)))
    case .date: self = .date(Double(bitPattern: try container.decode(UInt64.self)))
    case .text: self = .text(try container.decode(String.self))
    case .bytes: self = .bytes(try container.decode([UInt8].self))
    case .uuid: self = .uuid(try container.decode([UInt8].self))
    case .decimal: self = .decimal(try container.decode(String.self))
    case .list: self = .list(try container.decode([Value].self))
    case .parts: self = .parts(try container.decode([Value].self))
    }
  }

  /// Writes a value with every bit.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    func put(_ tag: Tag, _ value: some Encodable) throws {
      try container.encode(tag)
      try container.encode(value)
    }
    switch self {
    case .null: try container.encode(Tag.null)
    case .bool(let value): try put(.bool, value)
    case .int(let value): try put(.int, value)
    case .uint(let value): try put(.uint, value)
    case .real(let value): try put(.real, value.bitPattern)
    case .date(let value): try put(.date, value.bitPattern)
    case .text(let value): try put(.text, value)
    case .bytes(let value): try put(.bytes, value)
    case .uuid(let value): try put(.uuid, value)
    case .decimal(let value): try put(.decimal, value)
    case .list(let values): try put(.list, values)
    case .parts(let values): try put(.parts, values)
    }
  }
}
