extension Optional: StorableProperty where Wrapped: StorableProperty {
  /// What there is, if there is anything.
  public typealias Unwrapped = Wrapped

  /// The wrapped type's columns, each of which may be nil.
  ///
  /// - Precondition: The wrapped type is no optional itself: there is one presence bit.
  public static func _columns(
    named name: String, default value: (@Sendable () -> Self)?
  ) -> _PropertyColumns {
    precondition(
      !(Wrapped.self is any OptionalProperty.Type),
      "A property cannot be an optional of an optional: use one `?` for \(name).")
    return Wrapped._optionalColumns(named: name, default: value)
  }

  /// The same columns: nil inside an absent struct is nil.
  public static func _optionalColumns(
    named name: String, default value: (@Sendable () -> Self?)?
  ) -> _PropertyColumns {
    _columns(named: name, default: derive(from: value) { $0 ?? nil })
  }

  /// Writes the value, or leaves its places empty.
  @inlinable
  public func store(into row: inout _RowEncoder) { Wrapped._store(self, into: &row) }

  /// Writes the value, or leaves its places empty.
  @inlinable
  public static func _store(_ value: Wrapped??, into row: inout _RowEncoder) {
    Wrapped._store(value ?? nil, into: &row)
  }

  /// Reads the value, or passes over its empty places.
  @inlinable
  public static func load(from row: inout _RowDecoder) throws -> Wrapped? {
    try Wrapped._loadOptional(from: &row)
  }

  /// Reads the value, which may be nil by itself.
  @inlinable
  public static func _loadOptional(from row: inout _RowDecoder) throws -> Wrapped?? {
    .some(try Wrapped._loadOptional(from: &row))
  }
}

extension Optional: Storable where Wrapped: Storable {
  /// The wrapped value's kind, with a presence bit.
  ///
  /// - Precondition: The wrapped type is no optional itself: there is one presence bit.
  @inlinable
  public static var storage: StorageType {
    let wrapped = Wrapped.storage
    precondition(
      !wrapped.isOptional, "A property cannot be an optional of an optional: use one `?`.")
    return wrapped.optional
  }

  /// The value as conditions hold it.
  public var stored: StoredValue { self?.stored ?? .none }
}

extension Optional: Indexable where Wrapped: Indexable {}

extension Optional: Ordered where Wrapped: Ordered {
  /// Appends 00 for nil, else 01 and the value's code: nil sorts first.
  @inlinable
  public func appendKey(to key: inout _ByteBuffer) {
    switch self {
    case .some(let value):
      key.append(1)
      value.appendKey(to: &key)
    case .none:
      key.append(0)
    }
  }
}

/// An optional of any type.
protocol OptionalProperty {
  /// Whether there is no value.
  var isNil: Bool { get }
}

extension Optional: OptionalProperty {
  var isNil: Bool { self == nil }
}
