/// The program's word on a change of a model that the store cannot make by itself.
///
/// ```swift
/// let store = try Store.open(
///   at: url, models: Person.self,
///   migrations: [
///     .model(Person.self, replacing: \.age) { old, new in
///       new?.age = Int(try old["age", as: String.self]) ?? 0
///     },
///     Migration("full-name", Person.self) { old, new in
///       let parts = try (old["first", as: String.self], old["last", as: String.self])
///       new?.name = "\(parts.0) \(parts.1)"
///     },
///     .drop("nickname", of: Person.self),
///   ])
/// ```
///
/// The closure is called for each stored object, with the row as it was and the object that it
/// becomes. That one has all that can be carried: fields by name, widened where they are. A
/// property whose stored values cannot be carried must be named in `replacing`, and starts as its
/// default, nil, or zero; any other one that cannot be carried is refused, so that no value is lost
/// that nobody spoke of. Setting the new object to nil deletes it. The primary key may change where
/// one of its properties is named; no two objects may get the same key, and those that refer to the
/// model must be migrated along with it.
///
/// All migrations that are due run in the one transaction that opens the store, an object at a
/// time; what a closure throws leaves the store as it was. Adding, removing, renaming and
/// widening a property need no migration.
public struct Migration: Sendable {
  typealias Change = @Sendable (OldRow, inout (any Model)?) throws -> Void

  /// Once it is done the store remembers the name; nil for one that types ask for.
  let name: String?
  let model: any Model.Type
  /// The fields that it drops.
  let drops: [String]
  /// The names of the properties whose stored values it replaces.
  let replaced: [String]
  let change: Change?

  private init(
    _ name: String?, _ model: any Model.Type, drops: [String] = [], replaced: [String] = [],
    _ change: Change? = nil
  ) {
    self.name = name
    self.model = model
    self.drops = drops
    self.replaced = replaced
    self.change = change
  }

  /// A migration that a store makes once, and remembers by name.
  ///
  /// - Parameters:
  ///   - name: Its name, which no other migration of the model has.
  ///   - model: The model.
  ///   - properties: The properties whose stored values the closure replaces: those of another
  ///     type, those that objects have no value for, and of a primary key that changes at least
  ///     one. A struct stands for all properties inside it.
  ///   - change: Makes the new object from the old row.
  /// - Precondition: The properties are stored ones.
  public init<M: Model>(
    _ name: String, _ model: M.Type, replacing properties: PartialKeyPath<M>...,
    change: @escaping @Sendable (_ old: OldRow, _ new: inout M?) throws -> Void
  ) {
    self.init(name, model, replaced: properties.map(Self.name), Self.erase(change))
  }

  /// Says once that the program's form of a model is the newest, and changes no object.
  ///
  /// A store keeps the indexes and constraints that a newer program declared, whichever program
  /// opens it. A program that goes back to an earlier form of a model, and is to do without them,
  /// says so by this.
  ///
  /// - Parameters:
  ///   - name: Its name, which no other migration of the model has.
  ///   - model: The model.
  public init<M: Model>(_ name: String, _ model: M.Type) {
    self.init(name, model as any Model.Type)
  }

  /// A migration that runs whenever the stored values of the named properties cannot be carried.
  ///
  /// That is where their stored type, or the primary key, is another one than the declared, and
  /// where objects have no value for them. Of changes that are automatic it does not hear.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - property: A property whose stored values the closure replaces.
  ///   - others: More such properties.
  ///   - change: Makes the new object from the old row.
  /// - Returns: The migration.
  /// - Precondition: The properties are stored ones.
  public static func model<M: Model>(
    _ model: M.Type, replacing property: PartialKeyPath<M>, _ others: PartialKeyPath<M>...,
    change: @escaping @Sendable (_ old: OldRow, _ new: inout M?) throws -> Void
  ) -> Migration {
    Migration(nil, model, replaced: ([property] + others).map(name), erase(change))
  }

  /// Drops stored fields that the model no longer declares, and what they hold; once.
  ///
  /// - Parameters:
  ///   - fields: The fields' names.
  ///   - model: The model.
  /// - Returns: The migration.
  public static func drop<M: Model>(_ fields: String..., of model: M.Type) -> Migration {
    Migration("drop " + fields.joined(separator: ", "), model, drops: fields)
  }

  /// Whether it replaces the stored values of a column.
  func replaces(_ column: String) -> Bool {
    replaced.contains { $0 == column || column.hasPrefix($0 + ".") }
  }

  private static func name<M: Model>(of property: PartialKeyPath<M>) -> String {
    guard let name = M._schema.name(of: property) else {
      preconditionFailure(
        "A migration of \(M._schema.erased.name) replaces \(property), which is no stored property: "
          + "name one, or the optional struct that it belongs to.")
    }
    return name
  }

  private static func erase<M: Model>(
    _ change: @escaping @Sendable (OldRow, inout M?) throws -> Void
  ) -> Change {
    { old, new in
      var object = new as? M
      try change(old, &object)
      new = object
    }
  }
}

/// How far a migration has come.
public struct MigrationProgress: Sendable, Hashable {
  /// The model whose objects are migrated.
  public let model: String
  /// How many objects are done.
  public let done: Int
  /// How many objects there are.
  public let total: Int

  /// The part that is done, from 0 to 1.
  public var fraction: Double { total == 0 ? 1 : Double(done) / Double(total) }
}

/// A stored object as it was before a migration, read by its fields' names.
///
/// It may have fields that the program no longer declares, and types that it declares otherwise.
public struct OldRow {
  private let source: MigrationSource
  /// The key's code, and behind it the row.
  private let bytes: [UInt8]
  private let keyCount: Int
  private let isWide: Bool

  init(_ row: RowView, of source: MigrationSource) {
    self.source = source
    // Safety: the bytes are copied while the row is lent.
    bytes = unsafe [UInt8](row.keyBytes) + row.rowBytes
    keyCount = row.keyCount
    isWide = row.isWide
  }

  /// The names of the stored fields, in the order in which they came.
  public var fields: [String] { source.entry.fields.map(\.name) }

  /// A field's value as a type that can hold it: the stored one, a wider one, or its optional.
  ///
  /// - Parameters:
  ///   - field: The field's name, or one that it had before.
  ///   - type: The type to read it as.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where there is no such field,
  ///   it holds another type, or nil where the type is not optional.
  public subscript<V: Storable>(_ field: String, as type: V.Type = V.self) -> V {
    get throws {
      try read(field, as: V.storage) { row, layout in
        var decoder = _RowDecoder(layout: layout)
        decoder.move(to: row)
        return try decoder.decode()
      }
    }
  }

  /// A field's value, whatever its type.
  ///
  /// - Parameter field: The field's name, or one that it had before.
  /// - Returns: The value as conditions hold it.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where there is no such field.
  public func value(_ field: String) throws -> StoredValue {
    let type = try source.field(field).storage
    return try read(field, as: type) { row, layout in
      try layout.columns[0].value(in: row, layout)
    }
  }

  private func read<R>(
    _ field: String, as type: StorageType, _ body: (RowView, RowLayout) throws -> R
  ) throws -> R {
    let arena = RowArena()
    return try withExtendedLifetime((arena, bytes)) {
      // Safety: the bytes are immutable and live as long as the closure runs.
      try unsafe bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else {
          preconditionFailure("A row has four bytes at least.")
        }
        let row = unsafe RowView(
          key: start, keyCount: keyCount, row: start + keyCount,
          rowCount: bytes.count - keyCount, isWide: isWide)
        let plan = try source.plan(field, as: type, in: row)
        return try body(plan.transcode(row, into: arena), plan.target)
      }
    }
  }
}
