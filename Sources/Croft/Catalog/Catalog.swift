import LMDB

/// What the program's models are in this store, at one generation; immutable.
@usableFromInline
final class Catalog: Sendable {
  let meta: Database
  let generation: UInt64
  /// By the identity of the model's shape, which lives as long as the program.
  private let models: [ObjectIdentifier: ModelStorage]

  init(meta: Database, generation: UInt64, models: [ModelStorage]) {
    self.meta = meta
    self.generation = generation
    self.models = Dictionary(
      models.map { (ObjectIdentifier($0.shape), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// A model's place.
  ///
  /// - Throws: ``StoreError/unknownModel(model:)`` for a model that was not opened.
  func storage(of shape: ModelShape) throws(StoreError) -> ModelStorage {
    guard let storage = models[ObjectIdentifier(shape)] else {
      throw .unknownModel(model: shape.name)
    }
    return storage
  }

  /// Empty buffers, one for each index, each at its index's slot.
  func makeBuffers() -> [IndexBuffer] {
    all.flatMap { model in model.indexes.map { IndexBuffer($0, model.layout) } }
      .sorted { $0.index.slot < $1.index.slot }
  }

  /// All models, by name.
  var all: [ModelStorage] { models.values.sorted { $0.shape.name < $1.shape.name } }
}
