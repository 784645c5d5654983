extension OrderedStorable {
  /// An array of elements, each stored as it would be alone.
  @inlinable
  public static var _arrayStorage: StorageType { element(of: .array) }

  /// Writes the elements one after the other.
  @inlinable
  public static func _storeArray(_ values: [Self], into row: inout _RecordEncoder) {
    row.storeElements(values, as: _arrayStorage)
  }

  /// Reads the elements.
  @inlinable
  public static func _loadArray(from row: inout _RecordDecoder) throws -> [Self] {
    try row.loadElements(as: _arrayStorage)
  }

  @inlinable
  static func element(of collection: StorageType.Collection) -> StorageType {
    let storage = storage
    return StorageType(
      storage.kind, collection: collection, isElementOptional: storage.isOptional,
      parts: storage.parts)
  }
}

extension UInt8 {
  /// An array of bytes is stored as `Data` is.
  @inlinable public static var _arrayStorage: StorageType { StorageType(.data) }

  /// Writes the bytes.
  @inlinable
  public static func _storeArray(_ values: [UInt8], into row: inout _RecordEncoder) {
    // Safety: the bytes are copied before the buffer is given back.
    unsafe values.withUnsafeBytes { unsafe row.storeVariable($0) }
  }

  /// Reads the bytes.
  @inlinable
  public static func _loadArray(from row: inout _RecordDecoder) throws -> [UInt8] {
    // Safety: the bytes are copied while the row is borrowed.
    try unsafe row.withVariable { unsafe [UInt8]($0) }
  }
}

extension Array: StorableProperty, Storable, IndexableStorable where Element: OrderedStorable {
  /// The elements' values.
  public static var _domain: _ValueDomain { Element._domain }
  /// A collection of the elements' kind; of bytes the kind of `Data`.
  @inlinable public static var storage: StorageType { Element._arrayStorage }
  /// Writes the elements in their order.
  @inlinable
  public func store(into row: inout _RecordEncoder) { Element._storeArray(self, into: &row) }
  /// Reads the elements.
  @inlinable
  public static func load(from row: inout _RecordDecoder) throws -> [Element] {
    try Element._loadArray(from: &row)
  }
  /// The elements as conditions compare them.
  public var stored: StoredValue {
    // Asked by type: an empty array of anything can be cast to one of bytes.
    if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .data(bytes) }
    return .list(map(\.stored))
  }
}

extension Set: StorableProperty, Storable, IndexableStorable where Element: OrderedStorable {
  /// The elements' values.
  public static var _domain: _ValueDomain { Element._domain }
  /// A collection of the elements' kind.
  @inlinable public static var storage: StorageType { Element.element(of: .set) }
  /// Writes the elements in the order of their key codes, so that equal sets have equal bytes.
  @inlinable
  public func store(into row: inout _RecordEncoder) {
    row.storeElements(inKeyOrder, as: Self.storage)
  }
  /// Reads the elements.
  @inlinable
  public static func load(from row: inout _RecordDecoder) throws -> Set<Element> {
    Set(try row.loadElements(as: storage))
  }
  /// The elements as conditions compare them, in the order of their key codes.
  public var stored: StoredValue { .list(inKeyOrder.map(\.stored)) }
}

extension Dictionary: StorableProperty, Storable where Key == String, Value: OrderedStorable {
  /// The elements' values.
  public static var _domain: _ValueDomain { Value._domain }
  /// A collection of the values' kind.
  @inlinable public static var storage: StorageType { Value.element(of: .dictionary) }
  /// Writes the texts in the order of their key codes, and their values.
  @inlinable
  public func store(into row: inout _RecordEncoder) {
    row.storePairs(pairsInKeyOrder, as: Self.storage)
  }
  /// Reads the texts and their values.
  @inlinable
  public static func load(from row: inout _RecordDecoder) throws -> [String: Value] {
    Dictionary(try row.loadPairs(as: storage), uniquingKeysWith: { first, _ in first })
  }
  /// The texts as conditions compare them, in the order of their key codes, each before its value.
  public var stored: StoredValue {
    .list(pairsInKeyOrder.flatMap { [$0.key.stored, $0.value.stored] })
  }

  @inlinable var pairsInKeyOrder: [(key: String, value: Value)] {
    keyOrder { $0.key }.map { (key: $0.key, value: $0.value) }
  }
}

extension Set where Element: OrderedStorable {
  @inlinable var inKeyOrder: [Element] { keyOrder { $0 } }
}

extension Collection {
  /// The elements in the order of what a closure finds in each.
  @usableFromInline
  func keyOrder<K: OrderedStorable>(_ key: (Element) -> K) -> [Element] {
    guard count > 1 else { return Array(self) }
    let elements = Array(self)
    var codes = ByteList(capacity: 16 * elements.count)
    for element in elements {
      key(element).appendKey(to: &codes.bytes)
      codes.endItem(at: codes.bytes.count)
    }
    return codes.order().map { elements[Int($0)] }
  }
}

/// An array, a set, or a dictionary of storable values.
public protocol StoredCollection: Storable {
  /// The type of an element; of a dictionary the type of a value.
  associatedtype StoredElement: OrderedStorable
}

extension Array: StoredCollection where Element: OrderedStorable {
  /// The type of an element.
  public typealias StoredElement = Element
}

extension Set: StoredCollection where Element: OrderedStorable {
  /// The type of an element.
  public typealias StoredElement = Element
}

extension Dictionary: StoredCollection where Key == String, Value: OrderedStorable {
  /// The type of a value.
  public typealias StoredElement = Value
}
