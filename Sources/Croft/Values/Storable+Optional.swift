extension Optional: Storable where Wrapped: Storable {
  /// What there is, if there is anything.
  public typealias Unwrapped = Wrapped

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

  /// Sets the presence bit and writes the value, or leaves its place empty.
  @inlinable
  public func store(into row: inout _RowEncoder) {
    switch self {
    case .some(let value):
      row.storePresence(true)
      value.store(into: &row)
    case .none:
      row.storePresence(false)
      row.storeNothing(Wrapped.storage)
    }
  }

  /// Reads the presence bit, then the value.
  @inlinable
  public static func load(from row: inout _RowDecoder) throws -> Wrapped? {
    guard row.loadPresence() else {
      row.skip(Wrapped.storage)
      return nil
    }
    return try Wrapped.load(from: &row)
  }

  /// The value as conditions hold it.
  public var stored: StoredValue { self?.stored ?? .none }
}

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
