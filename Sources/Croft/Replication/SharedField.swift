/// A field of a replicated model as programs elsewhere declare it.
package struct SharedField: Equatable, Sendable {
  /// The model's number in the catalog.
  package var model: Int
  /// The name, with those of the structs that it is in.
  package var name: String
  /// The stored type, as the catalog writes it.
  package var type: String
  /// The value of objects that were written before the model had the field; nil for nil.
  package var value: [UInt8]?

  /// Makes a field.
  package init(model: Int, name: String, type: String, value: [UInt8]?) {
    (self.model, self.name, self.type, self.value) = (model, name, type, value)
  }

  /// Whether objects without the field can have it here, and the program can keep its values.
  package var isValid: Bool {
    guard let storage = StorageType(text: type) else { return false }
    guard let value else { return storage.isOptional }
    if storage.width > 0 { return value.count == storage.width }
    if storage.collection != nil { return value.isEmpty }
    // Safety: the value is made while the bytes are borrowed.
    return unsafe value.withUnsafeBytes { bytes in
      storage.kind == .string
        ? unsafe String(validating: bytes, as: UTF8.self) != nil
        : unsafe StoredValue(bytes, as: storage) != nil
    }
  }
}
