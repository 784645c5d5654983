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
  /// The models by their numbers, as a journal starts with them where nobody observes: by keys.
  let journalModels: [ChangeJournal.Model]
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
    var journalModels = Array(
      repeating: ChangeJournal.Model(layout: nil), count: (models.map(\.id).max() ?? -1) + 1)
    for model in models {
      journalModels[model.id] = ChangeJournal.Model(layout: model.layout, detail: .keys)
    }
    self.journalModels = journalModels
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

// No reference dangles after a change of the schema either.

extension Catalog {
  /// Checks the references that a change of the schema may have cut off from their objects.
  ///
  /// They are those to a model whose objects moved, those in columns that are references only now
  /// or were made anew, and those that lead to another model than before.
  ///
  /// - Parameters:
  ///   - diffs: What became of the program's models.
  ///   - moved: The numbers of the models of which an object is gone or has another key.
  ///   - transaction: The transaction of the change, which must be aborted where this throws.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` naming the first reference that
  ///   leads nowhere.
  /// - Complexity: O(*n* log *m*) for *n* references in those columns to a model of *m* objects.
  func checkReferences(
    after diffs: [SchemaDiff], moved: Set<Int>,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    for model in all {
      let diff = diffs.first { $0.entry.id == model.id }
      for reference in model.references
      where moved.contains(reference.target)
        || diff?.mayCutOff(reference, of: model) ?? false
      {
        try unsafe model.checkTargets(of: reference, in: transaction) { key, target in
          let schema = model.schema
          let field = model.layout.names[reference.column]
          let type = model.layout.columns[reference.column].storage
          throw unsafe StoreError.schemaMismatch(
            model: schema.name, field: field,
            reason: "the object with key \(schema.describe(key: key)) would refer to "
              + "\(describe(target, reference, type)), which does not exist; set the reference "
              + "where the store is opened: Store.open(at:models:migrations: [Migration(\"…\", "
              + "\(schema.name).self) { old, new in new?.\(field) = … }])")
        }
      }
    }
  }
}

extension SchemaDiff {
  /// Whether a column of references is new or another one than before.
  fileprivate func mayCutOff(_ reference: ForeignKey, of model: Table) -> Bool {
    let field = layout.columns[reference.column].field
    let before = original.fields.first { $0.id == field }?.reference
    return before?.model != reference.target || builds.contains(reference.index.id)
  }
}

extension Table {
  /// Lends the references of a column that lead to no object.
  ///
  /// - Parameter body: Gets the key of the object that refers, and the one referred to.
  fileprivate func checkTargets(
    of reference: ForeignKey, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let index = reference.index
    var last: [UInt8] = []
    try transaction.forEachBlock(
      of: index.entries, in: entriesOfReferences(by: reference)
    ) { block in
      for place in 0..<block.count {
        // Safety: the entry's bytes are lent with the block; a target is the part of them between
        // the mark of an optional and the key of the object that refers.
        let entry = unsafe block.entries[place]
        let key = try unsafe primaryKey(of: entry, in: index)
        let end = unsafe entry.value.isEmpty ? entry.key.count - key.count : entry.key.count
        let code = unsafe entry.key[(isMarked(reference) ? 1 : 0)..<end]
        let target = unsafe UnsafeRawBufferPointer(rebasing: code)
        // Entries are sorted, so each target is looked up once.
        if unsafe last.elementsEqual(target) { continue }
        last = unsafe [UInt8](target)
        let found = try unsafe transaction.get(
          RawSpan(_unsafeBytes: target), in: reference.targetRows)
        if found == nil { try unsafe body(key, target) }
      }
      return true
    }
  }
}
