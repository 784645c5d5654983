/// A change of a model's stored objects that the program makes, because the store cannot by itself.
///
/// ```swift
/// let store = try Store.open(
///   at: url, models: Person.self,
///   migrations: [
///     .convert(\Person.age) { old, new in
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
/// The closure is called for each stored object, with the old row and the new object. The new object
/// has all values that can be converted: those of fields with the same name, widened if necessary. A
/// property whose stored values cannot be converted must be named, and starts as its
/// default, nil or zero; without being named it is refused, so that no value is lost by accident.
/// Setting the new object to nil deletes it. The primary key may change if one of its properties is
/// named; no two objects may get the same key, and models that refer to this one must be migrated
/// with it.
///
/// All pending migrations run in the one transaction that opens the store, object by object; if a
/// closure throws, the store does not change. Adding, removing, renaming and widening a property
/// need no migration.
public struct Migration: Sendable {
  typealias Change = @Sendable (OldRow, inout (any Model)?) throws -> Void

  /// The name that the store remembers; nil for a migration that runs whenever types differ.
  let name: String?
  let model: any Model.Type
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

  /// A migration that runs once in each store, which remembers its name.
  ///
  /// - Parameters:
  ///   - name: Its name, which must be unique among the migrations of the model.
  ///   - model: The model.
  ///   - properties: The properties whose stored values the closure replaces: those of another
  ///     type, those without a stored value, and at least one of a primary key that changes. A
  ///     struct includes all properties inside it.
  ///   - change: Changes the new object, using the old row.
  /// - Precondition: The properties are stored ones.
  public init<M: Model>(
    _ name: String, _ model: M.Type, replacing properties: PartialKeyPath<M>...,
    change: @escaping @Sendable (_ old: OldRow, _ new: inout M?) throws -> Void
  ) {
    self.init(name, model, replaced: properties.map(Self.name), Self.erase(change))
  }

  /// A migration that makes the program's schema of a model the newest, once, and changes no object.
  ///
  /// A store keeps the indexes and constraints that a newer program declared, whichever program
  /// opens it. A program that goes back to an earlier schema uses this migration to remove them.
  ///
  /// - Parameters:
  ///   - name: Its name, which must be unique among the migrations of the model.
  ///   - model: The model.
  public static func adoptSchema<M: Model>(_ name: String, of model: M.Type) -> Migration {
    Migration(name, model)
  }

  /// A migration that runs whenever the stored values of the named properties cannot be converted.
  ///
  /// That is the case if their stored type, or the primary key, differs from the declared one, and
  /// if objects have no value for them. It does not run for automatic changes.
  ///
  /// - Parameters:
  ///   - property: A property of the model, whose stored values the closure replaces.
  ///   - others: More such properties.
  ///   - change: Changes the new object, using the old row.
  /// - Precondition: The properties are stored ones.
  public static func convert<M: Model>(
    _ property: PartialKeyPath<M>, _ others: PartialKeyPath<M>...,
    change: @escaping @Sendable (_ old: OldRow, _ new: inout M?) throws -> Void
  ) -> Migration {
    Migration(nil, M.self, replaced: ([property] + others).map(name), erase(change))
  }

  /// A migration that removes stored fields which the model no longer declares; it runs once.
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
        "A migration of \(M._schema.erased.name) replaces \(property), which is not a stored property: "
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
