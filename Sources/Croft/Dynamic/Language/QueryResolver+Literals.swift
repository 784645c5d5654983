import CroftFoundation

// Literals as values of a property's type.
extension QueryResolver {
  /// A literal as a property can be compared with it.
  enum Fit {
    case value(StoredValue)
    /// Past all that the property can hold, above or below.
    case past(isAbove: Bool)
  }

  /// The value of a literal as a type; nil for nil.
  ///
  /// - Throws: ``QueryTextError`` where the literal is of another type.
  func stored(
    _ literal: QueryLiteral, as storage: StorageType, _ name: String, at position: Int
  ) throws(QueryTextError) -> Fit? {
    func mismatch(_ example: String) -> QueryTextError {
      QueryTextError("\(name) is \(storage.text): \(demand) \(example)", at: position)
    }
    switch (parameters.written(literal, as: storage), storage.kind) {
    case (.null, _): return nil
    case (.parameter(let parameter), _):
      return try fitting(
        parameters.value(parameter, at: position), to: storage, name, at: position)
    case (.number(let text), .int8), (.number(let text), .int16), (.number(let text), .int32),
      (.number(let text), .int64), (.number(let text), .uint8), (.number(let text), .uint16),
      (.number(let text), .uint32), (.number(let text), .uint64):
      guard text.allSatisfy({ $0.isNumber || $0 == "-" }) else {
        throw mismatch("a whole number, such as \(text.prefix { $0 != "." && $0 != "e" })")
      }
      return Self.integer(text, storage.kind)
    case (.number(let text), .float):
      return .value(.double(Double(Float(text) ?? 0)))
    case (.number(let text), .double): return .value(.double(Double(text) ?? 0))
    case (.number(let text), .decimal):
      guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
        throw mismatch("a number, such as 12.50")
      }
      return .value(.decimal(value))
    case (.bool(let value), .bool): return .value(.bool(value))
    case (.text(let text), .string): return .value(.string(text))
    case (.bytes(let bytes), .data): return .value(.data(bytes))
    case (.bytes(let bytes), .compound):
      guard StoredValue.data(bytes).keyParts(of: storage) != nil else {
        throw mismatch("the bytes of such a key")
      }
      return .value(.data(bytes))
    case (.uuid(let text), .uuid), (.text(let text), .uuid):
      guard let uuid = UUID(uuidString: text) else { throw mismatch("a UUID") }
      return .value(uuid.stored)
    case (.uuid(let text), .string): return .value(.string(text))
    case (.moment(let text), .date), (.text(let text), .date):
      guard let date = moment.date(text) else {
        throw QueryTextError(
          "\(text) is no date: write 2026-06-01 or 2026-06-01T09:30:00Z", at: position)
      }
      return .value(date.stored)
    case (.now(let isToday, let offsets), .date):
      var date = isToday ? moment.today : moment.now
      for offset in offsets {
        guard let later = moment.date(offset.count, offset.unit, after: date) else {
          throw QueryTextError("there is no such date", at: position)
        }
        date = later
      }
      return .value(date.stored)
    case (.text(let text), _) where storage.kind.isNumber && Double(text) != nil:
      let isWhole = storage.kind.kindOfSum != .double && storage.kind != .decimal
      throw mismatch("a \(isWhole ? "whole number" : "number"), \(text), and not a text")
    case (.number(let text), .string): throw mismatch("a text, \"\(text)\", and not a number")
    default: throw mismatch(Self.example(of: storage.kind))
    }
  }

  /// Refuses a text beside an enum whose raw values are numbers.
  ///
  /// - Throws: ``QueryTextError`` that names the case, or the cases that there are.
  func checkCase(
    _ literal: QueryLiteral, _ cases: [ValueDomain.Case], _ storage: StorageType, _ name: String,
    at position: Int
  ) throws(QueryTextError) {
    guard case .text(let text) = literal, !cases.isEmpty else { return }
    let isName = cases.contains { $0.name == text }
    // Other raw values may be in the file, which a query may look for.
    if storage.kind == .string, !isName || cases.contains(where: { $0.literal == literal }) {
      return
    }
    guard isName else {
      throw QueryTextError(
        "\(name) has no case \(text)" + Self.near(text, among: cases.map(\.name)), at: position)
    }
    throw QueryTextError(
      "\(name) is an enum: \(demand) a case without quotes, \(QueryTextWriter.name(text))",
      at: position)
  }

  /// The limit of a statement, and its offset.
  ///
  /// - Throws: ``QueryTextError`` for a parameter that is not a whole number from 0 on.
  func page(of statement: QueryStatement) throws(QueryTextError) -> (limit: Int?, offset: Int) {
    (try count(statement.limit), try count(statement.offset) ?? 0)
  }

  private func count(_ count: QueryStatement.Count?) throws(QueryTextError) -> Int? {
    let name: QuerySyntax.Name
    switch count {
    case nil: return nil
    case .number(let number): return number
    case .parameter(let parameter): name = parameter
    }
    let literal = parameters.written(.parameter(name.text), as: StorageType(.int64))
    var number: Int?
    if case .number(let digits) = literal {
      number = Int(digits)
    } else if case .parameter = literal {
      switch try parameters.value(name.text, at: name.position) {
      case .int(let value): number = Int(exactly: value)
      case .uint(let value): number = Int(exactly: value)
      default: break
      }
    }
    guard let number, number >= 0 else {
      throw QueryTextError(
        "$\(name.text) is a count here: give it a whole number from 0 on, such as 20",
        at: name.position)
    }
    return number
  }

  /// A literal of each kind, for errors.
  static func example(of kind: StorageType.Kind) -> String {
    switch kind {
    case .bool: "true or false"
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64:
      "a whole number, such as 12"
    case .float, .double, .decimal: "a number, such as 12.5"
    case .date: "a date, such as 2026-06-01 or now - 7d"
    case .uuid: "a UUID, such as 0199b0c2-7d3e-7a51-9d3c-5e0f2a7b1c44"
    case .string: "a text, such as \"milk\""
    case .data: "bytes, such as x\"00ff\""
    case .compound: "the bytes of such a key"
    case .coded: "nothing: it has no order"
    }
  }

  /// A whole number of a kind; one that is too great for any kind is past all of them.
  private static func integer(_ text: String, _ kind: StorageType.Kind) -> Fit {
    let isNegative = text.hasPrefix("-")
    guard let number = Int128(text) else { return .past(isAbove: !isNegative) }
    let range: ClosedRange<Int128> =
      switch kind {
      case .int8: Int128(Int8.min)...Int128(Int8.max)
      case .int16: Int128(Int16.min)...Int128(Int16.max)
      case .int32: Int128(Int32.min)...Int128(Int32.max)
      case .int64: Int128(Int64.min)...Int128(Int64.max)
      case .uint8: 0...Int128(UInt8.max)
      case .uint16: 0...Int128(UInt16.max)
      case .uint32: 0...Int128(UInt32.max)
      default: 0...Int128(UInt64.max)
      }
    if number < range.lowerBound { return .past(isAbove: false) }
    if number > range.upperBound { return .past(isAbove: true) }
    return .value(range.lowerBound < 0 ? .int(Int64(number)) : .uint(UInt64(number)))
  }

  /// An element of a list as a type; nil for nil.
  ///
  /// - Throws: ``QueryTextError`` where the element is of another type.
  func fitting(
    _ element: QueryParameters.Element, to storage: StorageType, _ name: String, at position: Int
  ) throws(QueryTextError) -> Fit? {
    switch element {
    case .value(let value): try fitting(value, to: storage, name, at: position)
    case .literal(let literal): try stored(literal, as: storage, name, at: position)
    }
  }

  /// A parameter's value as a type; nil for nil.
  ///
  /// - Throws: ``QueryTextError`` where the value is of another type.
  func fitting(
    _ value: StoredValue, to storage: StorageType, _ name: String, at position: Int
  ) throws(QueryTextError) -> Fit? {
    let literal: QueryLiteral
    switch value {
    case .none: return nil
    case .bool(let value): literal = .bool(value)
    case .int(let value): literal = .number("\(value)")
    case .uint(let value): literal = .number("\(value)")
    case .string(let value): literal = .text(value)
    case .data(let value): literal = .bytes(value)
    case .double(let value):
      guard storage.kind == .double || storage.kind == .float else {
        literal = .number("\(value)")
        break
      }
      return .value(.double(storage.kind == .float ? Double(Float(value)) : value))
    case .date where storage.kind == .date: return .value(value)
    case .uuid where storage.kind == .uuid: return .value(value)
    case .decimal(let number):
      if storage.kind == .decimal { return .value(value) }
      literal = .number("\(number)")
    case .date, .uuid, .list:
      throw QueryTextError(
        "\(name) is \(storage.text), and the value that was given is another type", at: position)
    }
    return try stored(literal, as: storage, name, at: position)
  }
}
