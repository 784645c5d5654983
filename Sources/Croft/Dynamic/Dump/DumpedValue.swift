import CroftFoundation

/// A value as a dump has it in JSON.
///
/// Truth values, numbers and texts are what they are in JSON, and nil is null. Dates are numbers of seconds since
/// 2001-01-01 00:00 UTC. UUIDs and decimals are texts, and so are numbers that JSON lacks: `nan`, `inf` and `-inf`.
/// Bytes are in base64. A dictionary is an object, and another collection an array.
struct DumpedValue {
  let value: StoredValue
  let storage: StorageType

  init(_ value: StoredValue, _ storage: StorageType) {
    (self.value, self.storage) = (value, storage)
  }
}

/// A key of an object in JSON, whatever its name.
struct DumpedName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

extension DumpedValue: Encodable {
  func encode(to encoder: any Encoder) throws {
    if case .list(let values) = value, storage.collection == .dictionary {
      var object = encoder.container(keyedBy: DumpedName.self)
      for place in stride(from: 0, to: values.count, by: 2) {
        guard case .string(let key) = values[place] else { continue }
        try object.encode(
          DumpedValue(values[place + 1], storage.element), forKey: DumpedName(key))
      }
      return
    }
    var container = encoder.singleValueContainer()
    switch value {
    case .none: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .uint(let value): try container.encode(value)
    case .double(let number) where !number.isFinite, .date(let number) where !number.isFinite:
      try container.encode(number.isNaN ? "nan" : number > 0 ? "inf" : "-inf")
    case .double(let number), .date(let number): try container.encode(number)
    case .uuid(let high, let low): try container.encode(UUID(words: (high, low)).uuidString)
    case .string(let text): try container.encode(text)
    case .data(let bytes): try container.encode(Data(bytes).base64EncodedString())
    case .decimal(let number): try container.encode("\(number)")
    case .list(let values):
      try container.encode(values.map { DumpedValue($0, storage.element) })
    }
  }
}

// MARK: - Decoding

extension DumpedValue: DecodableWithConfiguration {
  init(from decoder: any Decoder, configuration storage: StorageType) throws {
    self.storage = storage
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      guard storage.isOptional else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "It is never null.")
      }
      value = .none
      return
    }
    value =
      switch storage.collection {
      case nil: try Self.single(container, storage.kind)
      case .array, .set: try Self.list(try decoder.unkeyedContainer(), storage)
      case .dictionary:
        try Self.dictionary(try decoder.container(keyedBy: DumpedName.self), storage)
      }
  }

  private static func list(
    _ container: consuming any UnkeyedDecodingContainer, _ storage: StorageType
  ) throws -> StoredValue {
    var (container, elements) = (container, [StoredValue]())
    while !container.isAtEnd {
      elements.append(
        try container.decode(DumpedValue.self, configuration: storage.element).value)
    }
    return storage.collection == .set ? storage.set(of: elements) : .list(elements)
  }

  private static func dictionary(
    _ container: KeyedDecodingContainer<DumpedName>, _ storage: StorageType
  ) throws -> StoredValue {
    let pairs = try container.allKeys.map { name in
      let element = try container.decode(
        DumpedValue.self, forKey: name, configuration: storage.element)
      return (key: name.stringValue, value: element.value)
    }
    return storage.dictionary(of: pairs)
  }

  private static func single(
    _ container: any SingleValueDecodingContainer, _ kind: StorageType.Kind
  ) throws -> StoredValue {
    switch kind {
    case .bool: .bool(try container.decode(Bool.self))
    case .int8: .int(Int64(try container.decode(Int8.self)))
    case .int16: .int(Int64(try container.decode(Int16.self)))
    case .int32: .int(Int64(try container.decode(Int32.self)))
    case .int64: .int(try container.decode(Int64.self))
    case .uint8: .uint(UInt64(try container.decode(UInt8.self)))
    case .uint16: .uint(UInt64(try container.decode(UInt16.self)))
    case .uint32: .uint(UInt64(try container.decode(UInt32.self)))
    case .uint64: .uint(try container.decode(UInt64.self))
    case .float: .double(try float(container))
    case .double: .double(try number(container))
    case .date: .date(try number(container))
    case .uuid:
      try parsed(container, "a UUID") { text in
        UUID(uuidString: text).map { .uuid($0.words.0, $0.words.1) }
      }
    case .string: .string(try container.decode(String.self))
    case .data, .coded, .compound:
      try parsed(container, "base64") { text in
        Data(base64Encoded: text).map { .data([UInt8]($0)) }
      }
    case .decimal:
      try parsed(container, "a decimal number") { text in
        // The beginning of another text is a number, too.
        let number = text == "NaN" ? Decimal.nan : Decimal(string: text, locale: nil)
        return number.flatMap { "\($0)" == text ? .decimal($0) : nil }
      }
    }
  }

  /// A number, also one that JSON lacks.
  private static func number(_ container: any SingleValueDecodingContainer) throws -> Double {
    do {
      return try container.decode(Double.self)
    } catch DecodingError.typeMismatch {
      switch try container.decode(String.self) {
      case "nan": return .nan
      case "inf": return .infinity
      case "-inf": return -.infinity
      case let text:
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "\"\(text)\" is not a number.")
      }
    }
  }

  /// A number that has a finite `Float` where it is finite.
  private static func float(_ container: any SingleValueDecodingContainer) throws -> Double {
    let number = try number(container)
    guard Float(number).isFinite || !number.isFinite else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(number) is larger than a float can be.")
    }
    return Double(Float(number))
  }

  private static func parsed(
    _ container: any SingleValueDecodingContainer, _ what: String,
    _ parse: (String) -> StoredValue?
  ) throws -> StoredValue {
    let text = try container.decode(String.self)
    guard let value = parse(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not \(what).")
    }
    return value
  }
}
