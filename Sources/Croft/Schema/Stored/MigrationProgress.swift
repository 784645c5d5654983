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
