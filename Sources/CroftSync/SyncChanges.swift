public import Croft
public import CroftFoundation

/// The objects that a transaction has changed because other stores did.
public struct SyncChanges: Sendable {
  private let keys: [String: [[UInt8]]]

  init(_ objects: Set<ObjectKey>, of models: [ReplicatedModel]) {
    let names = Dictionary(models.map { ($0.number, $0.name) }) { first, _ in first }
    keys = Dictionary(grouping: objects.sorted()) { names[$0.model] ?? "" }
      .mapValues { $0.map(\.key) }
  }

  /// The primary keys of the objects of a model that were added, changed or deleted, ascending.
  public func keys<M: Model>(of model: M.Type) -> [UUID] where M.PrimaryKey == UUID {
    (keys[M.modelName] ?? []).compactMap { code in
      var reader = ByteReader(code[...])
      return UUID(&reader)
    }
  }
}

extension SyncEvent {
  /// The primary key of the object that it is about; nil where it is about none of the model.
  public func key<M: Model>(of model: M.Type) -> UUID? where M.PrimaryKey == UUID {
    guard M.modelName == self.model, let key else { return nil }
    var reader = ByteReader(key[...])
    return UUID(&reader)
  }
}
