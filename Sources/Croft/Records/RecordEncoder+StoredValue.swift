import CroftFoundation

// Values without their Swift types, each written as the typed value writes itself.
extension _RecordEncoder {
  /// Encodes an object, whose values are those of all columns of its table.
  ///
  /// - Precondition: As for ``store(_:as:)``.
  mutating func encode(_ values: [StoredValue], _ table: Table) {
    encode(values, table, isWide: false)
    if isTooLongForNarrowEnds { encode(values, table, isWide: true) }
  }

  private mutating func encode(_ values: [StoredValue], _ table: Table, isWide: Bool) {
    begin(table.layout, isWide: isWide)
    for (column, value) in zip(table.layout.columns, values) {
      if table.schema.columns[column.index].isKey {
        value.appendKey(kind: column.kind, to: &key, cut: nil)
      }
      if column.place != .key { store(value, as: column.storage) }
    }
  }

  /// Writes a value into the next column of a row.
  ///
  /// - Precondition: The value is one of the type. Of a set the elements are distinct and in the order of their key
  ///   codes; of a dictionary the texts are, each before its value.
  mutating func store(_ value: StoredValue, as storage: StorageType) {
    if storage.isOptional {
      storePresence(value != .none)
      if value == .none { return storeNothing(storage) }
    }
    if case .list(let values) = value {
      storeCollection(values, as: storage)
    } else {
      storeSingle(value, as: storage.kind)
    }
  }

  private mutating func storeCollection(_ values: [StoredValue], as storage: StorageType) {
    guard !values.isEmpty else { return storeEnd() }
    guard storage.collection == .dictionary else {
      let frame = beginCollection(storage, count: values.count)
      for value in values { store(value, as: storage.element) }
      return endCollection(frame)
    }
    let frame = beginCollection(storage, count: values.count / 2)
    for place in stride(from: 0, to: values.count, by: 2) {
      storeSingle(values[place], as: .string)
    }
    beginValues(frame)
    for place in stride(from: 1, to: values.count, by: 2) {
      store(values[place], as: storage.element)
    }
    endCollection(frame)
  }

  private mutating func storeSingle(_ value: StoredValue, as kind: StorageType.Kind) {
    switch value {
    case .bool(let value): value.store(into: &self)
    case .int(let value):
      switch kind {
      case .int8: Int8(truncatingIfNeeded: value).store(into: &self)
      case .int16: Int16(truncatingIfNeeded: value).store(into: &self)
      case .int32: Int32(truncatingIfNeeded: value).store(into: &self)
      default: value.store(into: &self)
      }
    case .uint(let value):
      switch kind {
      case .uint8: UInt8(truncatingIfNeeded: value).store(into: &self)
      case .uint16: UInt16(truncatingIfNeeded: value).store(into: &self)
      case .uint32: UInt32(truncatingIfNeeded: value).store(into: &self)
      default: value.store(into: &self)
      }
    case .double(let value):
      if kind == .float { Float(value).store(into: &self) } else { value.store(into: &self) }
    case .date(let value): value.store(into: &self)
    case .uuid(let high, let low): UUID(words: (high, low)).store(into: &self)
    case .string(let value): value.store(into: &self)
    case .decimal(let value): value.store(into: &self)
    case .data(let bytes):
      // Safety: the bytes are copied before the array is given back.
      unsafe bytes.withUnsafeBytes { unsafe storeVariable($0) }
    case .none, .list:
      preconditionFailure("A column of \(kind.rawValue) is required and has no value: check it.")
    }
  }
}
