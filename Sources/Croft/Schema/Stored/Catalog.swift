import LMDB

/// What the program's models are in this store, at one generation; immutable.
@usableFromInline
final class Catalog: Sendable {
  let meta: Database
  /// Nil where the file had no log when the catalog was read.
  let log: CommitLog?
  let generation: UInt64
  /// Whether the store has all that the program's models need; else the next write adds it.
  let isComplete: Bool
  /// The models by their numbers, as a capture starts with them where nobody observes: by keys.
  let capturedModels: [ChangeCapture.Model]
  /// By the identity of the model's schema, which lives as long as the program.
  private let models: [ObjectIdentifier: Table]
  /// The columns that refer to a model, by the model's number.
  private let referrers: [Int: [Referrer]]

  init(
    meta: Database, log: CommitLog?, generation: UInt64, models: [Table], isComplete: Bool
  ) {
    self.meta = meta
    self.log = log
    self.generation = generation
    self.isComplete = isComplete
    var capturedModels = Array(
      repeating: ChangeCapture.Model(layout: nil), count: (models.map(\.id).max() ?? -1) + 1)
    for model in models {
      capturedModels[model.id] = ChangeCapture.Model(layout: model.layout, detail: .keys)
    }
    self.capturedModels = capturedModels
    self.models = Dictionary(
      models.map { (ObjectIdentifier($0.schema), $0) }, uniquingKeysWith: { first, _ in first })
    referrers = Dictionary(
      grouping: models.flatMap { model in
        model.references.map { Referrer(model: model, reference: $0) }
      }, by: \.reference.target)
  }

  /// An index that is being built, and its model.
  var firstBuilding: (model: Table, index: TableIndex)? {
    for model in all {
      if let index = model.indexes.first(where: \.isBuilding) { return (model, index) }
    }
    return nil
  }

  /// An index whose entries are to be made anew, and its model.
  var firstAwaitingRebuild: (model: Table, index: TableIndex)? {
    for model in all {
      if let index = model.indexes.first(where: \.awaitsRebuild) { return (model, index) }
    }
    return nil
  }

  /// Whether steps of building indexes are due.
  var isBuilding: Bool { firstBuilding != nil || firstAwaitingRebuild != nil }

  /// Whether the store is as good without the steps that are due: they make anew what is there.
  var isOnlyRebuilding: Bool {
    all.allSatisfy { model in
      model.indexes.allSatisfy { !$0.isBuilding || $0.replaces != nil }
    }
  }

  /// A model's place.
  ///
  /// - Throws: ``StoreError/unknownModel(model:)`` for a model that was not opened.
  func table(of schema: Schema) throws(StoreError) -> Table {
    guard let table = models[ObjectIdentifier(schema)] else {
      throw .unknownModel(model: schema.name)
    }
    return table
  }

  /// The columns that refer to a model, those of models that the program lacks among them.
  func referrers(of model: Table) -> [Referrer] { referrers[model.id] ?? [] }

  /// Empty buffers, one for each index, each at its index's slot.
  func makeBuffers() -> [IndexBuffer] {
    all.flatMap { model in model.indexes.map { IndexBuffer($0, model.layout) } }
      .sorted { $0.index.slot < $1.index.slot }
  }

  /// All models, and those that refer to them without being the program's, by name.
  var all: [Table] { models.values.sorted { $0.schema.name < $1.schema.name } }
}
