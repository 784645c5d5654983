/// A struct whose values a store keeps; `@Model` writes the conformance.
///
/// Models are plain values: they can be sent to other threads, do not depend on the stored row, and
/// change only where their owner changes them. The macro implements the requirements.
public protocol Model: Sendable, _RecordStruct {
  /// The type of the property marked `@PrimaryKey`.
  associatedtype PrimaryKey: StorableKey
  /// The model's name and columns, built once.
  static var _schema: _ModelSchema<Self> { get }
  /// The value of the primary key.
  var _primaryKey: PrimaryKey { get }
  /// Reads a value from a row, property by property in declaration order.
  init(_record: inout _RecordDecoder) throws
  /// Writes the value into a row, property by property in declaration order.
  func _encode(into row: inout _RecordEncoder)
}

/// The names of stored properties by their key paths.
///
/// `@unchecked Sendable`: immutable after init, and key paths to a struct's stored
/// properties capture nothing.
final class ModelPropertyNames: @unchecked Sendable {
  private let names: [AnyKeyPath: String]

  init(_ properties: [(path: AnyKeyPath, name: String)]) {
    names = Dictionary(
      properties.map { ($0.path, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  /// A property's key path and name, and those of the properties inside an embedded struct.
  ///
  /// Optional structs are left out: a key path through an optional cannot be composed at run time.
  static func inside(
    _ path: AnyKeyPath, _ name: String, _ type: Any.Type
  ) -> [(path: AnyKeyPath, name: String)] {
    guard let type = type as? any Embedded.Type else { return [(path, name)] }
    return [(path, name)]
      + type.properties.flatMap { property in
        path.appending(path: property.path).map {
          inside($0, name + "." + property.name, Swift.type(of: property.path).valueType)
        } ?? []
      }
  }

  subscript(path: AnyKeyPath) -> String? { names[path] }
}

/// A fault in a model's declaration, because of which no store can have the model.
struct ModelMistake: Error {
  /// The fault and what to write instead, as a part of a sentence about the model.
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
