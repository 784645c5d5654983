/// The program's word on a change of a model that the store cannot make by itself.
///
/// ```swift
/// let store = try Store.open(
///   at: url, models: Person.self,
///   migrations: [
///     .model(Person.self) { old, new in new?.age = Int(try old["age", as: String.self]) ?? 0 },
///     Migration("full-name", Person.self) { old, new in
///       let parts = try (old["first", as: String.self], old["last", as: String.self])
///       new?.name = "\(parts.0) \(parts.1)"
///     },
///     .drop("nickname", of: Person.self),
///   ])
/// ```
///
/// The closure is called for each stored object, with the row as it was and the object that it
/// becomes. That one has all that can be carried: fields by name, widened where they are; a
/// property that cannot be carried starts as its default, nil, or zero. Setting it to nil
/// deletes the object. The primary key may change; no two objects may get the same, and those that
/// refer to the model must be migrated along with it.
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
  let change: Change?

  private init(_ name: String?, _ model: any Model.Type, drops: [String], _ change: Change?) {
    self.name = name
    self.model = model
    self.drops = drops
    self.change = change
  }

  /// A migration that a store makes once, and remembers by name.
  ///
  /// - Parameters:
  ///   - name: Its name, which no other migration of the model has.
  ///   - model: The model.
  ///   - change: Makes the new object from the old row.
  public init<M: Model>(
    _ name: String, _ model: M.Type,
    _ change: @escaping @Sendable (_ old: OldRow, _ new: inout M?) throws -> Void
  ) {
    self.init(name, model, drops: [], Self.erase(change))
  }

  /// A migration that runs whenever stored types, or the primary key, are not the declared ones.
  ///
  /// Of changes that are automatic it does not hear.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - change: Makes the new object from the old row.
  /// - Returns: The migration.
  public static func model<M: Model>(
    _ model: M.Type,
    _ change: @escaping @Sendable (_ old: OldRow, _ new: inout M?) throws -> Void
  ) -> Migration {
    Migration(nil, model, drops: [], erase(change))
  }

  /// Drops stored fields that the model no longer declares, and what they hold; once.
  ///
  /// - Parameters:
  ///   - fields: The fields' names.
  ///   - model: The model.
  /// - Returns: The migration.
  public static func drop<M: Model>(_ fields: String..., of model: M.Type) -> Migration {
    Migration("drop " + fields.joined(separator: ", "), model, drops: fields, nil)
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
