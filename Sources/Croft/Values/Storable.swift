import CroftFoundation

/// A value that a model's property can have.
///
/// Bool, all integer widths, Float, Double, String, Date, Duration, Data, UUID, URL, Decimal, enums that
/// declare ``StoredEnum``, and optionals, arrays, sets and text-keyed dictionaries of those
/// conform. Croft implements the requirements; an enum of yours needs no further code.
public protocol Storable: StorableProperty {
  /// The type under which rows store the value.
  static var storage: StorageType { get }
  /// The value as conditions compare it.
  var stored: StoredValue { get }
  /// Which values of the stored type the type can have; of a collection those of its elements.
  static var _domain: _ValueDomain { get }
}

/// A value that can be indexed, as a whole or element by element.
///
/// Every ``OrderedStorable`` value conforms, and so do arrays and sets of those, whose index has an entry
/// for each distinct element.
public protocol IndexableStorable: Storable {}

/// A storable value with an order, by which it can be indexed and sorted.
public protocol OrderedStorable: Storable, IndexableStorable {
  /// Appends the value's key code; codes compare byte by byte as the values do.
  func appendKey(to key: inout _ByteBuffer)
  /// The value that conditions compare as `stored`, for a group's key; nil where there is none.
  static func _value(of stored: StoredValue, _ row: inout _RecordDecoder) -> Self?
  /// The type under which rows store an array of such values.
  static var _arrayStorage: StorageType { get }
  /// Writes an array of such values into the next column of a row.
  static func _storeArray(_ values: [Self], into row: inout _RecordEncoder)
  /// Reads an array of such values from the next column of a row.
  static func _loadArray(from row: inout _RecordDecoder) throws -> [Self]
}

extension OrderedStorable {
  /// The value's key code.
  var keyCode: [UInt8] {
    var code = _ByteBuffer()
    appendKey(to: &code)
    return code.copied
  }

  /// The value itself, for a type that `stored` has a case for.
  public static func _value(of stored: StoredValue, _ row: inout _RecordDecoder) -> Self? {
    switch stored {
    case .bool(let value): value as? Self
    case .double(let value): value as? Self
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds) as? Self
    case .uuid(let high, let low): UUID(words: (high, low)) as? Self
    case .string(let value): value as? Self
    case .data(let bytes): Data(bytes) as? Self
    case .decimal(let value): value as? Self
    case .none, .int, .uint, .list: nil
    }
  }
}

/// A value that can be a model's primary key.
///
/// All integer widths, String, UUID, Date, Data and enums over those conform.
public protocol StorableKey: OrderedStorable, Hashable {
  /// Whether the key code gives back exactly the value it was made from.
  ///
  /// If it does, the row does not repeat the key. A string's code does not: it has the normalised
  /// form, and Croft keeps the user's bytes.
  static var keyRestoresValue: Bool { get }
  /// Reads a value equal to the original one from its key code.
  static func loadKey(from row: inout _RecordDecoder) throws -> Self
}

extension StorableKey {
  /// False: the row stores the value too.
  @inlinable public static var keyRestoresValue: Bool { false }
}

/// The type of a model's property: a ``Storable`` value or an ``Embedded`` struct.
///
/// Optionals of both conform. Croft and its macros implement the requirements.
public protocol StorableProperty: Sendable {
  /// The type without its optional, as paths through references use it.
  associatedtype Unwrapped: StorableProperty = Self
  /// The columns that a property of this type has.
  static func _columns(
    named name: String, default value: (@Sendable () -> Self)?
  ) -> _PropertyColumns
  /// The columns that an optional property of this type has.
  static func _optionalColumns(
    named name: String, default value: (@Sendable () -> Self?)?
  ) -> _PropertyColumns
  /// Writes the value into the next column of a row.
  func store(into row: inout _RecordEncoder)
  /// Writes the value of an optional property into the next column of a row.
  static func _store(_ value: Self?, into row: inout _RecordEncoder)
  /// Reads the value from the next column of a row.
  static func load(from row: inout _RecordDecoder) throws -> Self
  /// Reads the value of an optional property from the next column of a row.
  static func _loadOptional(from row: inout _RecordDecoder) throws -> Self?
}

/// A default derived from another one; nil if there is none.
func derive<A, B>(
  from value: (@Sendable () -> A)?, _ change: @escaping @Sendable (A) -> B
) -> (@Sendable () -> B)? {
  guard let value else { return nil }
  return { change(value()) }
}

extension Storable {
  /// All values of a type of the standard library or of Foundation; of others only the program can tell.
  public static var _domain: _ValueDomain { _ValueDomain(ValueDomain(ofScalar: Self.self)) }

  /// One column.
  public static func _columns(
    named name: String, default value: (@Sendable () -> Self)?
  ) -> _PropertyColumns {
    var column = ColumnDefinition(name: name, storage: storage)
    column.type = Self.self
    if let value { column.storeDefault = { row in value().store(into: &row) } }
    return _PropertyColumns(columns: [(column, Self.self)])
  }

  /// One column with a presence bit; without a default it is nil.
  public static func _optionalColumns(
    named name: String, default value: (@Sendable () -> Self?)?
  ) -> _PropertyColumns {
    var column = ColumnDefinition(name: name, storage: Self?.storage)
    column.type = Self.self
    column.storeDefault = { row in _store(value?(), into: &row) }
    return _PropertyColumns(columns: [(column, Self?.self)])
  }

  /// Writes the presence bit and the value, or an empty column for nil.
  @inlinable
  public static func _store(_ value: Self?, into row: inout _RecordEncoder) {
    switch value {
    case .some(let value):
      row.storePresence(true)
      value.store(into: &row)
    case .none:
      row.storePresence(false)
      row.storeNothing(storage)
    }
  }

  /// Reads the presence bit, then the value.
  @inlinable
  public static func _loadOptional(from row: inout _RecordDecoder) throws -> Self? {
    guard row.loadPresence() else {
      row.skip(storage)
      return nil
    }
    return try load(from: &row)
  }
}

/// An enum with raw values that a model's property can have; it needs no further code.
///
/// ```swift
/// enum Priority: Int, StoredEnum { case none, low, normal, high }
/// ```
///
/// Raw values are stored, compared and indexed: a condition such as `$0.priority >= .normal` compares
/// raw values. If a row's raw value has no case, because a newer program wrote it, a fetch throws
/// ``StoreError/schemaMismatch(model:field:reason:)``; conditions, counts and deletes still work on
/// its bytes.
public protocol StoredEnum: RawRepresentable, StorableKey where RawValue: StorableKey {}

extension StoredEnum where Self: CaseIterable {
  /// The raw values of the cases.
  public static var _domain: _ValueDomain { _ValueDomain(ValueDomain(ofCases: Self.self)) }
}

extension StoredEnum {
  /// Those that only the program can tell, because the cases are not listed.
  public static var _domain: _ValueDomain { _ValueDomain(.unlisted) }
  /// The raw value's storage.
  @inlinable public static var storage: StorageType { RawValue.storage }
  /// Writes the raw value.
  @inlinable public func store(into row: inout _RecordEncoder) { rawValue.store(into: &row) }

  /// Reads the raw value and finds its case.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` if no case has it.
  @inlinable
  public static func load(from row: inout _RecordDecoder) throws -> Self {
    try value(of: try RawValue.load(from: &row), row)
  }

  @inlinable
  static func value(of raw: RawValue, _ row: borrowing _RecordDecoder) throws -> Self {
    guard let value = Self(rawValue: raw) else {
      throw row.noCase(of: "\(Self.self)", rawValue: "\(raw)")
    }
    return value
  }

  /// The raw value as conditions compare it.
  public var stored: StoredValue { rawValue.stored }
  /// Appends the raw value's key code.
  @inlinable public func appendKey(to key: inout _ByteBuffer) { rawValue.appendKey(to: &key) }

  /// The case of the raw value that conditions compare as `stored`; nil where no case has it.
  public static func _value(of stored: StoredValue, _ row: inout _RecordDecoder) -> Self? {
    RawValue._value(of: stored, &row).flatMap { Self(rawValue: $0) }
  }
  /// As for the raw value.
  @inlinable public static var keyRestoresValue: Bool { RawValue.keyRestoresValue }

  /// Reads the raw value from its key code and finds its case.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` if no case has it.
  @inlinable
  public static func loadKey(from row: inout _RecordDecoder) throws -> Self {
    try value(of: try RawValue.loadKey(from: &row), row)
  }
}

/// An optional property.
public protocol OptionalStorable: StorableProperty {}

extension Optional: OptionalStorable where Wrapped: StorableProperty {}
