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
