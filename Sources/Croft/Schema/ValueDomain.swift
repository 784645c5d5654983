import CroftFoundation

/// Which values of its stored type a property can have, as the program that declares it reads them.
///
/// A program finds out by the property's type, and the catalog keeps it, so that a program which does not
/// declare the model knows the names of an enum's cases and writes nothing that the other one cannot read.
enum ValueDomain: Equatable, Sendable {
  /// All values of the stored type.
  case all
  /// The texts of URLs.
  case urls
  /// The raw values of the cases of an enum that conforms to `CaseIterable`.
  case cases([Case])
  /// Some that only the program itself can tell: the raw values of other ``StoredEnum`` types.
  case unlisted

  /// A case of an enum.
  struct Case: Equatable, Sendable {
    let name: String
    fileprivate let value: RawValue
  }

  /// A raw value as the catalog stores it: a number or a text.
  fileprivate enum RawValue: Hashable, Sendable {
    case int(Int64)
    case uint(UInt64)
    case text(String)
  }
}

/// A ``ValueDomain`` where a program's types tell theirs.
public struct _ValueDomain: Sendable {
  let values: ValueDomain

  init(_ values: ValueDomain) { self.values = values }
}

// MARK: - From a type

extension ValueDomain {
  /// The domain of a type other than enums, collections and references.
  init(ofScalar type: Any.Type) {
    // Compared one by one: to make a set of types takes longer, at the start of each program.
    switch ObjectIdentifier(type) {
    case ObjectIdentifier(Bool.self), ObjectIdentifier(Int.self), ObjectIdentifier(Int8.self),
      ObjectIdentifier(Int16.self), ObjectIdentifier(Int32.self), ObjectIdentifier(Int64.self),
      ObjectIdentifier(UInt.self), ObjectIdentifier(UInt8.self), ObjectIdentifier(UInt16.self),
      ObjectIdentifier(UInt32.self), ObjectIdentifier(UInt64.self), ObjectIdentifier(Float.self),
      ObjectIdentifier(Double.self), ObjectIdentifier(String.self), ObjectIdentifier(Date.self),
      ObjectIdentifier(Duration.self), ObjectIdentifier(Data.self), ObjectIdentifier(UUID.self),
      ObjectIdentifier(Decimal.self):
      self = .all
    case ObjectIdentifier(URL.self): self = .urls
    // Bytes of the other types are checked nowhere.
    default: self = .unlisted
    }
  }

  /// The domain of an enum that lists its cases.
  init<E: CaseIterable & StoredEnum>(ofCases type: E.Type) {
    self = Self.cases(of: type).map { .cases($0) } ?? .unlisted
  }

  /// The cases of an enum; nil where a raw value is neither a number nor a text.
  private static func cases<E: CaseIterable & StoredEnum>(of type: E.Type) -> [Case]? {
    var cases: [Case] = []
    for value in type.allCases {
      let raw: RawValue
      switch value.stored {
      case .int(let number): raw = .int(number)
      case .uint(let number): raw = Int64(exactly: number).map { .int($0) } ?? .uint(number)
      case .string(let text): raw = .text(text)
      default: return nil
      }
      cases.append(Case(name: name(of: value), value: raw))
    }
    return cases
  }

  /// The name of a case as it is declared, which `description` need not give; of a struct its raw value.
  private static func name<E: StoredEnum>(of value: E) -> String {
    guard let name = unsafe runtimeName(ofCase: value) else { return "\(value.rawValue)" }
    // Safety: the runtime's name is a constant of the program, and ends with a zero.
    return unsafe String(cString: name)
  }
}

/// The name of an enum's case, nil for other types: the runtime's function, by which values are printed.
@_silgen_name("swift_EnumCaseName")
private func runtimeName<E>(ofCase value: E) -> UnsafePointer<CChar>?

// MARK: - Values

extension ValueDomain {
  /// The cases of an enum; none for other types.
  var cases: [Case] {
    if case .cases(let cases) = self { cases } else { [] }
  }

  /// Whether a value that is not nil is one of them; nil where only the declaring program can tell.
  func contains(_ value: StoredValue) -> Bool? {
    switch (self, value) {
    case (.all, _): true
    case (.urls, .string(let text)): URL(string: text) != nil
    case (.urls, _): false
    case (.cases(let cases), _): cases.contains { $0.stored(unsigned: value.isUnsigned) == value }
    case (.unlisted, _): nil
    }
  }

  /// A value as the declaring program writes it, which for conditions is another text of some URLs.
  func written(_ value: StoredValue) -> StoredValue {
    guard self == .urls, case .string(let text) = value, let url = URL(string: text) else {
      return value
    }
    return url.stored
  }

  /// Whether a program's domain is put in place of the one that the catalog has.
  ///
  /// - Parameter isNew: Whether no program declared it before.
  func isPreferred(to present: Self, isNew: Bool) -> Bool {
    switch (self, present) {
    case (.cases(let new), .cases(let old)):
      let (own, others) = (Set(new.map(\.value)), Set(old.map(\.value)))
      if own.isStrictSuperset(of: others) { return true }
      return isNew && !own.isStrictSubset(of: others)
    // Names are of use also where another program declares the raw values alone.
    case (.cases, _): return true
    case (_, .cases): return false
    default: return isNew
    }
  }
}

extension ValueDomain.Case {
  /// The raw value as a column of a kind holds it.
  func stored(as kind: StorageType.Kind) -> StoredValue { stored(unsigned: kind.isUnsigned) }

  fileprivate func stored(unsigned: Bool) -> StoredValue {
    switch value {
    case .int(let number) where unsigned: UInt64(exactly: number).map { .uint($0) } ?? .int(number)
    case .int(let number): .int(number)
    case .uint(let number): .uint(number)
    case .text(let text): .string(text)
    }
  }

  /// The raw value as a query text has it.
  var literal: QueryLiteral {
    switch value {
    case .int(let number): .number("\(number)")
    case .uint(let number): .number("\(number)")
    case .text(let text): .text(text)
    }
  }
}

extension StoredValue {
  fileprivate var isUnsigned: Bool {
    if case .uint = self { true } else { false }
  }
}

// MARK: - In the catalog

extension ValueDomain: Codable {
  private enum Name: String { case all, urls, unlisted }

  /// A word, or the names and raw values of cases; others, of a later version of Croft, restrict in a way that is
  /// not known.
  init(from decoder: any Decoder) throws {
    // An error means that it has another type.
    guard let word = try? decoder.singleValueContainer().decode(String.self) else {
      self = (try? Self.cases(from: decoder)).map { .cases($0) } ?? .unlisted
      return
    }
    switch Name(rawValue: word) {
    case .all: self = .all
    case .urls: self = .urls
    case .unlisted, nil: self = .unlisted
    }
  }

  /// Reads a flat list, because each opening reads it, and a container for each case takes longer.
  private static func cases(from decoder: any Decoder) throws -> [Case] {
    var container = try decoder.unkeyedContainer()
    var cases: [Case] = []
    while !container.isAtEnd {
      let name = try container.decode(String.self)
      // Decoders tell a value's type by trying: an error means that it has another one.
      let number = try? container.decode(Int64.self)
      let text = number == nil ? try? container.decode(String.self) : nil
      if let number {
        cases.append(Case(name: name, value: .int(number)))
      } else if let text {
        cases.append(Case(name: name, value: .text(text)))
      } else {
        cases.append(Case(name: name, value: .uint(try container.decode(UInt64.self))))
      }
    }
    return cases
  }

  func encode(to encoder: any Encoder) throws {
    func encode(_ word: Name) throws {
      var container = encoder.singleValueContainer()
      try container.encode(word.rawValue)
    }
    switch self {
    case .all: try encode(.all)
    case .urls: try encode(.urls)
    case .unlisted: try encode(.unlisted)
    case .cases(let cases):
      var container = encoder.unkeyedContainer()
      for item in cases {
        try container.encode(item.name)
        switch item.value {
        case .int(let number): try container.encode(number)
        case .uint(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
      }
    }
  }
}
