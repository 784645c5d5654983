import CroftFoundation
import LMDB
import Synchronization

/// The program's models as open tables, at one generation of the store's catalog; immutable.
@usableFromInline
final class Catalog: Sendable {
  let meta: Database
  /// The log of commits; nil if the file had none when the catalog was read.
  let log: CommitLog?
  /// The changes that were not sent; nil where nothing is replicated.
  let outbox: Outbox?
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
  /// The schemas of all models of the file, where the program declares none.
  let storedSchemas: StoredSchemas?
  /// How many slots the tables' indexes of entries have; see ``IndexStatus/slot``.
  let entryIndexSlots: Int
  /// Passes what the store does to those who measure it.
  let monitor: StoreMonitor
  /// The tables by the identity of their schema, which lives as long as the program.
  private let models: [ObjectIdentifier: Table]
  /// All models of the file, declared or not; read when they are first asked for.
  let storedModels = Mutex<StoredModels?>(nil)
  /// The columns that refer to a model, by the model's number.
  private let referrers: [Int: [ForeignKey.Referrer]]

  init(
    meta: Database, log: CommitLog?, outbox: Outbox? = nil, generation: UInt64, models: [Table],
    storedSchemas: StoredSchemas? = nil, isComplete: Bool,
    assumedEmpty: [StoredTree<RecordView>], monitor: StoreMonitor = StoreMonitor()
  ) {
    self.monitor = monitor
    self.meta = meta
    self.storedSchemas = storedSchemas
    self.log = log
    self.outbox = outbox
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
    entryIndexSlots = all.map(\.writers.entries.upperBound).max() ?? 0
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
  var firstBuilding: (model: Table, index: any TableIndex)? { firstIndex(where: \.isBuilding) }

  /// An index that is to be rebuilt, and its model.
  var firstAwaitingRebuild: (model: Table, index: any TableIndex)? {
    firstIndex(where: \.status.awaitsRebuild)
  }

  private func firstIndex(
    where matches: (any TableIndex) -> Bool
  ) -> (model: Table, index: any TableIndex)? {
    for model in all {
      if let index = model.indexes.first(where: matches) { return (model, index) }
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

// MARK: - From the stored catalog

/// Opens the tables of a program's models, one after another, and makes the catalog of them.
struct CatalogBuilder {
  private let stored: StoredCatalog
  private let storedSchemas: StoredSchemas?
  private let monitor: StoreMonitor
  /// Whether the changes are written in this transaction, so that new layouts and indexes exist.
  private let isWriting: Bool
  private var models: [Table] = []
  private var assumedEmpty: [StoredTree<RecordView>] = []
  /// The next slots of writers: of indexes with entries for each row, and of others.
  private var slots = (entries: 0, others: 0)

  init(
    _ stored: StoredCatalog, _ storedSchemas: StoredSchemas?, _ monitor: StoreMonitor,
    isWriting: Bool
  ) {
    self.stored = stored
    self.monitor = monitor
    self.storedSchemas = storedSchemas
    self.isWriting = isWriting
  }

  func catalog(isComplete: Bool) -> Catalog {
    Catalog(
      meta: stored.meta, log: stored.log, outbox: stored.outbox,
      generation: stored.header.generation, models: models, storedSchemas: storedSchemas,
      isComplete: isComplete, assumedEmpty: assumedEmpty, monitor: monitor)
  }

  /// Opens a model's table with the program's layout.
  mutating func add(
    _ diff: SchemaDiff, _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> Table {
    let isRegistered = isWriting || diff.original.layouts.contains(diff.layout)
    let layout = RecordLayout(diff, isRegistered: isRegistered)
    let indexes = try indexes(diff, layout, transaction)
    let model = Table(
      diff, layout,
      rows: StoredTree<RecordView>(
        try Self.tree(
          (isWriting ? diff.entry : diff.original).treeName, of: diff.schema.name, transaction)),
      indexes: indexes, references: try references(diff, indexes, transaction))
    models.append(model)
    if diff.isChange, !isWriting, diff.context.rowCount == 0 { assumedEmpty.append(model.rows) }
    return model
  }

  private mutating func indexes(
    _ diff: SchemaDiff, _ layout: RecordLayout,
    _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> [any TableIndex] {
    var indexes: [any TableIndex] = []
    for index in diff.entry.indexes
    where isWriting || !diff.builds.contains(index.id) {
      let columns = try index.columns.map { try indexColumn($0, diff) }
      let entries = try Self.tree(
        CatalogEntry.treeName(ofIndex: index.id), of: diff.schema.name, transaction)
      let status = IndexStatus(
        id: index.id, slot: index.isText ? slots.others : slots.entries,
        definition: IndexDefinition(
          columns: columns, isUnique: index.isUnique, isText: index.isText),
        lastBuilt: index.isBuilding ? [UInt8](index.built ?? Data()) : nil,
        awaitsRebuild: index.awaitsRebuild ?? false, replaces: index.replaces,
        skipsDamagedRows: index.skipsDamagedRows ?? false)
      if index.isText {
        indexes.append(
          TextIndex(status, entries: entries, layout: layout, model: diff.schema.name))
        slots.others += 1
      } else {
        indexes.append(EntryIndex(status, entries: entries, layout: layout))
        slots.entries += 1
      }
    }
    return indexes
  }

  private func indexColumn(
    _ column: CatalogEntry.Index.Column, _ diff: SchemaDiff
  ) throws -> IndexColumn {
    func path(of field: Int) -> ColumnPath? {
      diff.layout.columns.firstIndex { $0.field == field }.map { place in
        let declared = diff.schema.columns
        let name = place < declared.count ? declared[place].name : "field \(field)"
        return ColumnPath(place: place, name: name)
      }
    }
    var source: IndexColumn.Source?
    if let expression = column.expression {
      source = expression.expression(path).map {
        .expression(ColumnPath.Computed(expression: $0, storage: column.type.storage))
      }
    } else {
      source = column.field.flatMap(path).map { .column($0.place) }
    }
    guard let source else {
      throw StoreError.corrupt(
        model: diff.schema.name, key: nil, reason: "an index is over a field that is not there")
    }
    return IndexColumn(
      source, isDescending: column.isDescending, isCaseFolded: column.isCaseFolded)
  }

  private func references(
    _ diff: SchemaDiff, _ indexes: [any TableIndex],
    _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> [ForeignKey] {
    var references: [ForeignKey] = []
    for (place, column) in diff.layout.columns.enumerated() {
      let field = diff.entry.fields.first { $0.id == column.field }
      guard let reference = field?.reference,
        let target = stored.entries.first(where: { $0.id == reference.model })
      else { continue }
      guard
        let index = indexes.lazy.compactMap({ $0 as? EntryIndex }).first(where: {
          $0.columns == [IndexColumn(place: place)] && !$0.isBuilding
        })
      else {
        // Only writers apply delete rules, and they have every index.
        guard isWriting else { continue }
        throw StoreError.corrupt(
          model: diff.schema.name, key: nil,
          reason: "its references \(field?.name ?? "") have no index")
      }
      references.append(
        ForeignKey(
          column: place, target: target.id,
          targetRows: StoredTree<RecordView>(
            try Self.tree(target.treeName, of: diff.schema.name, transaction)),
          onDelete: reference.onDelete, index: index))
    }
    return references
  }

  static func tree(
    _ name: String, of model: String, _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> Database {
    guard let tree = try transaction.database(named: name) else {
      throw StoreError.corrupt(model: model, key: nil, reason: "its tree \(name) is missing")
    }
    return tree
  }
}

extension Table {
  /// The table of a model, with a transcoder for each other layout that its rows may have.
  convenience init(
    _ diff: SchemaDiff, _ layout: RecordLayout, rows: StoredTree<RecordView>,
    indexes: [any TableIndex],
    references: [ForeignKey]
  ) {
    let values = FieldValues(diff.entry)
    var transcoders: [UInt16: RecordTranscoder] = [:]
    for source in diff.entry.layouts where source.id != layout.id {
      transcoders[source.id] = RecordTranscoder(
        from: source, RecordLayout(source, of: diff.entry, diff.schema),
        to: diff.layout, layout, values)
    }
    self.init(
      id: diff.entry.id, schema: diff.schema, layout: layout, transcoders: transcoders,
      hiddenValues: diff.undeclared.map { field in
        if let declaredDefault = values.declared[field.id] { return .value(declaredDefault) }
        return field.storage.isOptional ? .absent : .missing
      }, structMarks: diff.structMarks, rows: rows, indexes: indexes, references: references,
      replicatedFields: diff.entry.isReplicated ?? false
        ? diff.layout.columns.map { UInt16(truncatingIfNeeded: $0.field) } : [])
  }
}

extension RecordLayout {
  /// The layout in which a program reads and writes a model's rows.
  ///
  /// - Parameter isRegistered: Whether the catalog has the layout, so that rows may have it.
  convenience init(_ diff: SchemaDiff, isRegistered: Bool) {
    self.init(
      schema: diff.schema,
      hidden: diff.undeclared.map { ColumnDefinition(name: $0.name, storage: $0.storage) },
      id: isRegistered ? diff.layout.id : Self.unregistered)
  }

  /// A layout that the catalog has.
  convenience init(_ layout: CatalogEntry.Layout, of entry: CatalogEntry, _ schema: Schema) {
    let widths = entry.keys.map { key in
      layout.columns.first { $0.field == key }?.storage.keyWidth
    }
    self.init(
      schema: schema,
      columns: layout.columns.map { column in
        ColumnDefinition(
          name: entry.fields.first { $0.id == column.field }?.name ?? "field \(column.field)",
          storage: column.storage, isKey: column.isInKey, keyRestoresValue: column.isInKey)
      }, keyWidth: widths.sum, id: layout.id)
  }
}

extension RecordTranscoder {
  /// The steps that turn rows of one layout of the catalog into another, field by field.
  ///
  /// - Parameter fillsZero: Whether a missing value of a required column becomes zero.
  init(
    from source: CatalogEntry.Layout, _ sourceLayout: RecordLayout, to target: CatalogEntry.Layout,
    _ targetLayout: RecordLayout, _ values: FieldValues, fillsZero: Bool = false
  ) {
    let steps = zip(target.columns, targetLayout.columns).map { column, place in
      let found = source.columns.firstIndex { $0.field == column.field }
      let widening = found.flatMap {
        RecordTranscoder.Widening(from: source.columns[$0].storage, to: column.storage)
      }
      var nothing = column.storage.isOptional ? nil : values.declared[column.field]
      if fillsZero, nothing == nil, !column.storage.isOptional {
        nothing = .zero(of: column.storage)
      }
      guard let found, let widening else {
        return Step(
          target: place, source: nil, widening: .none,
          substitute: values.oldRows[column.field] ?? nothing)
      }
      return Step(
        target: place, source: sourceLayout.columns[found], widening: widening,
        substitute: nothing)
    }
    self.init(source: sourceLayout, target: targetLayout, steps: steps)
  }
}
