import CroftFoundation
import LMDB

/// What a delete does to the objects of one model by the delete rules.
public struct DeleteConsequence: Sendable, Hashable {
  /// The name of the model.
  public let model: String
  /// How many of its objects are deleted.
  public let deletedCount: Int
  /// How many of its objects stay and lose a reference.
  public let nullifiedCount: Int
}

extension WriteTransaction {
  /// What a statement that deletes would do to the objects of each model, without doing it.
  ///
  /// A program shows it before it asks whether to delete. A delete that an object denies is an error
  /// when it is performed, and not here.
  ///
  /// - Parameter statement: The statement.
  /// - Returns: The model of the statement first, then those whose objects are deleted or lose a
  ///   reference, by name; empty for other statements, and where there is nothing to delete.
  /// - Throws: ``QueryTextError`` for names and values that do not fit the file's models;
  ///   ``StoreError/schemaMismatch(model:field:reason:)`` for a store without
  ///   ``Store/Options/usesStoredModels``; ``StoreError/corrupt(model:key:reason:)``. The transaction
  ///   stays usable.
  /// - Complexity: As for the delete, without its changes.
  public mutating func consequences(
    of statement: DynamicStatement
  ) throws -> [DeleteConsequence] {
    guard statement.kind == .delete else { return [] }
    let resolved: (schema: Schema, core: QueryCore, QueryResolver)
    do {
      resolved = try resolveCondition(of: statement)
    } catch let error as QueryTextError { throw error.inText(statement.text) }
    let (schema, core) = (resolved.schema, resolved.core)
    return try self.statement { tx in
      let table = try tx.table(of: schema)
      let keys = ByteSet()
      try QueryRun(tx.plan(core.forAggregates, table)).forEach(in: tx.base) { row in
        // Safety: the set copies the bytes.
        unsafe keys.insert(row.keyBytes)
        return true
      }
      guard keys.count > 0 else { return [] }
      let deletion = CascadingDelete(of: keys, table, tx.catalog)
      try deletion.followCascades(&tx)
      var counts: [String: (deleted: Int, nullified: Int)] = [:]
      for model in deletion.models {
        counts[model.schema.name, default: (0, 0)].deleted = deletion.keys(of: model).count
      }
      for (model, keys) in try deletion.nullified(in: tx.base) {
        counts[model.schema.name, default: (0, 0)].nullified = keys.count
      }
      return counts.filter { $0.value != (0, 0) }.map { name, count in
        DeleteConsequence(
          model: name, deletedCount: count.deleted, nullifiedCount: count.nullified)
      }.sorted { left, right in
        let isFirst = (left.model == schema.name, right.model == schema.name)
        return isFirst.0 == isFirst.1 ? left.model < right.model : isFirst.0
      }
    }
  }
}
