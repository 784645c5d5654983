import LMDB

/// The program's models as open tables, at one generation of the store's catalog; immutable.
@usableFromInline
final class Catalog: Sendable {
  let meta: Database
  /// The log of commits; nil if the file had none when the catalog was read.
  let log: CommitLog?
  let generation: UInt64
  /// Whether the stored catalog fits the program's models; otherwise the next write updates it.
  let isComplete: Bool
  /// The rows of the models whose types differ from the stored ones, which is legal while there are none.
  ///
  /// Another program may insert some, which changes no generation.
  let assumedEmpty: [StoredTree<RecordView>]
  /// A capture's models by their numbers, set up to capture nothing.
  let capturedModels: [ChangeCapture.Model]
  /// The program's models and the other models that refer to them, sorted by name.
  let all: [Table]
  /// The tables by the identity of their schema, which lives as long as the program.
  private let models: [ObjectIdentifier: Table]
  /// The columns that refer to a model, by the model's number.
  private let referrers: [Int: [ForeignKey.Referrer]]

  init(
    meta: Database, log: CommitLog?, generation: UInt64, models: [Table], isComplete: Bool,
    assumedEmpty: [StoredTree<RecordView>]
  ) {
    self.meta = meta
    self.log = log
    self.generation = generation
    self.isComplete = isComplete
    self.assumedEmpty = assumedEmpty
    var capturedModels = Array(
      repeating: ChangeCapture.Model(layout: nil), count: (models.map(\.id).max() ?? -1) + 1)
    for model in models {
      capturedModels[model.id] = ChangeCapture.Model(layout: model.layout)
    }
    self.capturedModels = capturedModels
    self.models = Dictionary(
      models.map { (ObjectIdentifier($0.schema), $0) }, uniquingKeysWith: { first, _ in first })
    all = self.models.values.sorted { $0.schema.name < $1.schema.name }
    referrers = Dictionary(
      grouping: models.flatMap { model in
        model.references.map { ForeignKey.Referrer(model: model, reference: $0) }
      }, by: \.reference.target)
  }

  /// Whether the catalog is that of a transaction which sees its generation.
  func holds(in transaction: borrowing some LMDB.Transaction & ~Copyable) throws -> Bool {
    try assumedEmpty.allSatisfy { try transaction.count(of: $0) == 0 }
  }

  /// An index that is being built, and its model.
  var firstBuilding: (model: Table, index: any TableIndex)? {
    for model in all {
      if let index = model.indexes.first(where: \.isBuilding) { return (model, index) }
    }
    return nil
  }

  /// An index that is to be rebuilt, and its model.
  var firstAwaitingRebuild: (model: Table, index: any TableIndex)? {
    for model in all {
      if let index = model.indexes.first(where: \.status.awaitsRebuild) { return (model, index) }
    }
    return nil
  }

  /// Whether indexes are being built, or are to be rebuilt.
  var isBuilding: Bool { firstBuilding != nil || firstAwaitingRebuild != nil }

  /// Whether all indexes that are being built replace existing ones, so that no query lacks one.
  var isOnlyRebuilding: Bool {
    all.allSatisfy { model in
      model.indexes.allSatisfy { !$0.isBuilding || $0.status.replaces != nil }
    }
  }

  /// The table of a model.
  ///
  /// - Throws: ``StoreError/unknownModel(model:)`` for a model that was not opened.
  func table(of schema: Schema) throws(StoreError) -> Table {
    guard let table = models[ObjectIdentifier(schema)] else {
      throw .unknownModel(model: schema.name)
    }
    return table
  }

  /// The columns that refer to a model, including those of models that the program does not declare.
  func referrers(of model: Table) -> [ForeignKey.Referrer] { referrers[model.id] ?? [] }
}

extension Catalog {
  /// Checks that a change of the schema left no dangling reference.
  ///
  /// It looks up references to a model in which objects were deleted or changed their key, and those
  /// in columns that are new references, were rebuilt, or refer to another model than before.
  ///
  /// - Parameters:
  ///   - diffs: The changes of the program's models.
  ///   - moved: The numbers of the models in which an object was deleted or changed its key.
  ///   - transaction: The transaction of the change, which must be aborted if this throws.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` naming the first dangling
  ///   reference.
  /// - Complexity: O(*n* log *m*) for *n* references in those columns to a model of *m* objects.
  func checkReferences(
    after diffs: [SchemaDiff], moved: Set<Int>,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    for model in all {
      let diff = diffs.first { $0.entry.id == model.id }
      for reference in model.references
      where moved.contains(reference.target)
        || diff?.mayDangle(reference, of: model) ?? false
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
  /// Whether a column of references is new, was rebuilt, or refers to another model than before.
  fileprivate func mayDangle(_ reference: ForeignKey, of model: Table) -> Bool {
    let field = layout.columns[reference.column].field
    let before = original.fields.first { $0.id == field }?.reference
    return before?.model != reference.target || builds.contains(reference.index.id)
  }
}

extension Table {
  /// Passes the dangling references of a column.
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
        // Safety: the entry's bytes are borrowed with the block; the target's key is the part between
        // the nil byte of an optional and the key of the object that refers.
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
