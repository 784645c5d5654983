import Croft
import Foundation
import PageServer

/// How a property is edited in a form: its value as a text, and back.
struct PropertyField {
  /// What a form has for the property.
  enum Control {
    /// Some texts to choose from, with what people read for them.
    case choice([(text: String, label: String)])
    /// A line.
    case line
    /// Lines of a text, or a line for each element of a collection.
    case lines
  }

  /// A text is not one of the property's values: what to do.
  struct Issue: Error {
    let text: String
  }

  /// The most bytes of a text that a form has.
  static let textBytesMax = 16 << 10
  /// The most bytes of data that a form has, as digits.
  static let dataBytesMax = 1_024

  let property: StoredModel.Property
  let control: Control
  /// Why no form has it, whatever its value is; nil where one has.
  private let reason: String?

  /// Makes the field of a property.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - model: Its model.
  ///   - isUnlisted: Whether only its program knows its values, as of ``StoredModel/unlistedProperties(in:)``.
  init(_ property: StoredModel.Property, of model: StoredModel, isUnlisted: Bool = false) {
    self.property = property
    reason = Self.reason(property, model) ?? (isUnlisted ? Self.unlisted : nil)
    let type = property.type
    if type.collection == nil, type.kind == .bool {
      control = .choice(["true", "false"].map { (Self.chosen + $0, $0) })
    } else if type.collection == nil, !property.cases.isEmpty {
      control = .choice(property.cases.map { (Self.chosen + ValueText.key($0.value), $0.name) })
    } else {
      control = type.collection != nil || type.kind == .string ? .lines : .line
    }
  }

  /// Before the text of a value that can be chosen, so that an empty one is another than none.
  static let chosen = "="
  /// The text of nil among those to choose from.
  static let nothing = "nil"

  /// Whether a form has the property at all.
  var isEditable: Bool { reason == nil }

  /// The value of a field that is left empty on purpose; nil for a type without such a value.
  var emptyValue: StoredValue? {
    if property.type.collection != nil { return .list([]) }
    switch property.type.kind {
    case .string: return property.cases.isEmpty ? .string("") : nil
    case .data: return .data([])
    default: return nil
    }
  }

  var isChoice: Bool { if case .choice = control { true } else { false } }

  private static let unlisted =
    "The file does not tell which values it can have, as of an enum, so that only its program can write it."

  private static func reason(_ property: StoredModel.Property, _ model: StoredModel) -> String? {
    switch property.type.kind {
    case .coded: return "It is stored as JSON, which only its program can write."
    case .compound: return "It is a key of several properties, which only its program can write."
    default: break
    }
    if model.isMark(property) { return "It tells whether a struct is there." }
    if property.type.collection == .dictionary { return "A dictionary is not edited here." }
    if property.type.isElementOptional { return "A collection with nil is not edited here." }
    return nil
  }

  /// Why a form does not have a value; nil where it has.
  func obstacle(to value: StoredValue) -> String? {
    if let reason { return reason }
    if text(of: value) != nil { return nil }
    return
      "It is too long for a form, or has characters that a form changes. The page of the object has it."
  }
}

// Values as texts.
extension PropertyField {
  /// The text of a value in a form, also of one that is nil; nil where a form cannot have it.
  func text(of value: StoredValue) -> String? {
    guard reason == nil else { return nil }
    guard case .list(let values) = value else {
      if value == .none { return isChoice ? Self.nothing : "" }
      return Self.single(value).map { isChoice ? Self.chosen + $0 : $0 }
    }
    var lines: [String] = []
    for value in values {
      let name = property.caseName(of: value)
      guard let line = name ?? Self.single(value), !line.isEmpty, !line.contains("\n") else {
        return nil
      }
      // A raw value without a case would become the case of that name.
      if name == nil, rawValue(of: line) != nil { return nil }
      lines.append(line)
    }
    let text = lines.joined(separator: "\n")
    return text.utf8.count <= Self.textBytesMax ? text : nil
  }

  private static func single(_ value: StoredValue) -> String? {
    switch value {
    case .string(let text):
      // A browser sends each line end as one of two characters.
      let text = text.replacing("\r\n", with: "\n")
      let isKept = !text.unicodeScalars.contains("\r") && text.shown == text
      return isKept && text.utf8.count <= textBytesMax ? text : nil
    case .data(let bytes): return bytes.count <= dataBytesMax ? ValueText.key(value) : nil
    case .none, .list: return nil
    case .bool, .int, .uint, .double, .decimal, .date, .uuid: return ValueText.plain(value)
    }
  }

  /// The value that a text of a form means.
  ///
  /// - Parameter current: The value that is stored, whose line ends a text keeps; nil for a new object.
  /// - Throws: ``Issue``.
  func value(of text: String, replacing current: StoredValue?) throws(Issue) -> StoredValue {
    if property.type.collection != nil {
      var values: [StoredValue] = []
      for line in text.split(separator: "\n").map(String.init) {
        if let known = rawValue(of: line) {
          values.append(known)
        } else {
          values.append(try value(line))
        }
      }
      return .list(values)
    }
    if isChoice {
      guard text.hasPrefix(Self.chosen) else {
        if property.type.isOptional, text == Self.nothing { return .none }
        throw Issue(text: "Choose a value.")
      }
      return try value(String(text.dropFirst(Self.chosen.count)))
    }
    if case .string(let old) = current, old.contains("\r\n") {
      return try value(text.replacing("\n", with: "\r\n"))
    }
    return try value(text)
  }

  /// The raw value of a case; nil where no case has the name.
  private func rawValue(of name: String) -> StoredValue? {
    property.cases.first { $0.name == name }?.value
  }

  private func value(_ text: String) throws(Issue) -> StoredValue {
    let kind = property.type.kind
    if kind == .string { return try ofCase(.string(text)) }
    let word = text.filter { !$0.isWhitespace }
    if kind == .date {
      guard let date = Self.date(word) else {
        throw Issue(text: "Type a date in UTC, such as 2026-06-01T09:30:00Z or 2026-06-01.")
      }
      return date
    }
    guard let value = ValueText.value(word, as: kind) else { throw Issue(text: Self.hint(kind)) }
    return try ofCase(value)
  }

  /// A value that a case has, where the cases are known.
  private func ofCase(_ value: StoredValue) throws(Issue) -> StoredValue {
    if property.cases.isEmpty || property.caseName(of: value) != nil { return value }
    let names = property.cases.map(\.name).joined(separator: ", ")
    throw Issue(text: "There is no such case. Choose one of \(names).")
  }

  private static func hint(_ kind: StorageType.Kind) -> String {
    switch kind {
    case .bool: "Choose true or false."
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64:
      "Type a whole number, such as 12."
    case .float, .double, .decimal: "Type a number, such as 12.5."
    case .uuid: "Type a UUID, such as 0199b0c2-7d3e-7a51-9d3c-5e0f2a7b1c44."
    case .data: "Type bytes as pairs of hexadecimal digits, such as 00ff."
    case .string, .date, .coded, .compound: "Type a value of the property's type."
    }
  }

  /// The date of a text as ISO 8601 writes it, with any number of digits of a second.
  private static func date(_ text: String) -> StoredValue? {
    if let seconds = Double(text) { return .date(seconds) }
    let pattern = #/(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2})?(\.\d+)?Z?)?/#
    guard let match = text.wholeMatch(of: pattern) else { return nil }
    let time = "\(match.output.2 ?? "00:00")\(match.output.3 ?? ":00")"
    // The error is ignored: there is no such date, which the caller says.
    guard let date = try? Date("\(match.output.1)T\(time)Z", strategy: .iso8601) else { return nil }
    let fraction = match.output.4.flatMap { Double("0\($0)") } ?? 0
    return .date(date.timeIntervalSinceReferenceDate + fraction)
  }
}

extension StoredModel {
  /// Whether an object that is inserted without a value gets a new key.
  func makesKey(_ property: Property) -> Bool {
    primaryKey == [property.name] && property.type.kind == .uuid && property.reference == nil
  }

  /// Whether a property is inside a struct that may be absent, and is nil where that is.
  func isInOptionalStruct(_ property: Property) -> Bool {
    properties.contains { isMark($0) && property.name.hasPrefix($0.name + ".") }
  }

  /// The properties whose values only their program knows, such as an enum whose cases are not in the file.
  ///
  /// The store refuses such a value unless unknown cases are allowed. It is asked with values for no object.
  func unlistedProperties(in tx: inout WriteTransaction) throws -> Set<String> {
    let nobody = try DynamicQuery("\(name.asQueryName) where false")
    var unlisted: Set<String> = []
    for property in properties where !property.isPrimaryKey && property.reference == nil {
      guard property.cases.isEmpty, let sample = property.type.sample else { continue }
      var isTaken = false
      for allowed in [false, true] where !isTaken {
        do {
          try tx.update(nobody, set: [property.name: sample], allowingUnknownCases: allowed)
          isTaken = true
          if allowed { unlisted.insert(property.name) }
        } catch let error as StoreError {
          guard case .schemaMismatch = error else { throw error }
        }
      }
    }
    return unlisted
  }
}

extension StorageType {
  /// A value of the type as an enum may have it for a raw value; nil for types that no enum has.
  fileprivate var sample: StoredValue? {
    let single: StoredValue? =
      switch kind {
      case .int8, .int16, .int32, .int64: .int(0)
      case .uint8, .uint16, .uint32, .uint64: .uint(0)
      case .string: .string("")
      case .date: .date(0)
      case .uuid: .uuid(0, 0)
      case .data: .data([])
      case .bool, .float, .double, .decimal, .coded, .compound: nil
      }
    guard let collection else { return single }
    return collection == .dictionary ? nil : single.map { .list([$0]) }
  }
}

extension StoredValue {
  /// A short text that other values most likely do not have, by which a change is noticed.
  var stamp: String {
    switch self {
    case .none: "nil"
    case .list(let values): "l" + values.map(\.stamp).joined(separator: ".").utf8.fingerprint
    case .string(let text): "s" + text.utf8.fingerprint
    case .data(let bytes): "d" + bytes.fingerprint
    case .date(let seconds): "t\(seconds.bitPattern)"
    case .double(let number): "r\(number.bitPattern)"
    case .bool, .int, .uint, .uuid, .decimal: "v" + ValueText.plain(self).utf8.fingerprint
    }
  }
}

extension Sequence<UInt8> {
  /// FNV-1a of 64 bits, and the number of bytes.
  var fingerprint: String {
    var (hash, count) = (0xCBF2_9CE4_8422_2325 as UInt64, 0)
    for byte in self {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      count += 1
    }
    return String(hash, radix: 16) + "-\(count)"
  }
}
