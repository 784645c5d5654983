/// A struct whose values a store keeps; `@Model` writes the conformance.
///
/// Models are plain values: they can be sent to other threads, do not depend on the stored row, and
/// change only where their owner changes them. The macro implements the requirements.
public protocol Model: Sendable {
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

/// The schema of a model type, as the macro describes it; made once for each type.
public final class _ModelSchema<M: Model>: Sendable {
  /// The schema without its Swift type, for code that works on bytes.
  @usableFromInline let erased: Schema
  private let names: ModelPropertyNames

  /// Makes a schema.
  ///
  /// - Parameters:
  ///   - name: The model's name.
  ///   - columns: The properties in declaration order.
  ///   - indexes: The indexes declared by `#Index` and `#Unique`.
  ///   - aliases: Names that the model had before.
  ///   - removed: Names of stored fields to be dropped.
  /// - Precondition: Indexes name stored properties that have an order.
  public init(
    _ name: String, _ columns: [_Column<M>], indexes: [_Index<M>] = [],
    renamedFrom aliases: [String] = [], removed: [String] = []
  ) {
    let definitions = columns.flatMap { $0.definitions(model: name) }
    let names = ModelPropertyNames(columns.flatMap(\.names))
    var all: [IndexDefinition] = []
    for column in columns {
      guard let options = column.index else { continue }
      all.add(
        IndexDefinition(
          over: [column.name], [options], isUnique: options.contains(.unique), of: name,
          definitions))
    }
    for index in indexes {
      let parts = index.parts.map { part in
        ([names[part.property] ?? "\(part.property)"] + part.path).joined(separator: ".")
      }
      all.add(
        IndexDefinition(
          over: parts, index.parts.map(\.options), isUnique: index.isUnique, of: name, definitions))
    }
    all.addForeignKeys(of: definitions)
    erased = Schema(
      name: name, aliases: aliases, columns: definitions, indexes: all, removed: removed)
    self.names = names
  }

  /// The name of a stored property, or nil for a computed one.
  func name(of path: PartialKeyPath<M>) -> String? { names[path] }

  /// The place of a stored property among the columns; nil for a computed one, and for a
  /// struct that is always there and so has no column of its own.
  func column(at path: PartialKeyPath<M>) -> Int? {
    names[path].flatMap { erased.place(named: $0) }
  }
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
