/// A value that a model's property can hold.
///
/// Bool, all integer widths, Float, Double, String, Date, Data, UUID, URL, Decimal, enums that
/// declare ``StoredEnum``, and optionals, arrays, sets and text-keyed dictionaries of those
/// conform. The requirements are met by Croft; an enum of yours needs no further code.
public protocol Storable: StorableProperty {
  /// How the value lies in a row.
  static var storage: StorageType { get }
  /// The value as conditions hold it.
  var stored: StoredValue { get }
}

/// A value that an index can hold, whole or element by element.
///
/// Every ``Ordered`` value is one, and so are arrays and sets of those: their index has an
/// entry for each distinct element.
public protocol Indexable: Storable {}

/// A storable value with an order that an index and a sort can follow.
public protocol Ordered: Indexable {
  /// Appends the value's key code, whose bytes compare as the values do.
  func appendKey(to key: inout _ByteBuffer)
  /// How an array of such values is stored.
  static var _arrayStorage: StorageType { get }
  /// Writes an array of such values into the next place of a row.
  static func _storeArray(_ values: [Self], into row: inout _RowEncoder)
  /// Reads an array of such values from the next place of a row.
  static func _loadArray(from row: inout _RowDecoder) throws -> [Self]
}

/// A value that can be a model's primary key.
///
/// All integer widths, String, UUID, Date, Data and enums over those conform.
public protocol StorableKey: Ordered, Hashable {
  /// Whether the key code gives back exactly the value it was made from.
  ///
  /// Where it does, the row does not repeat the key. A string's does not: its code
  /// holds the normalised form, and Croft keeps the user's bytes.
  static var keyRestoresValue: Bool { get }
  /// Reads the value back from its key code: the same one, or one that equals it.
  static func loadKey(from row: inout _RowDecoder) throws -> Self
}

extension StorableKey {
  /// The key code does not give the value back: the row holds it too.
  @inlinable public static var keyRestoresValue: Bool { false }
}
