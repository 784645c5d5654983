import CroftFoundation
import LMDB

/// Opens the tables of a program's models, one after another, and makes the catalog of them.
struct CatalogBuilder {
  private let stored: StoredCatalog
  /// Whether the changes are written in this transaction, so that new layouts and indexes exist.
  private let isWriting: Bool
  private var models: [Table] = []
  private var isComplete = true
  private var assumedEmpty: [StoredTree<RecordView>] = []
  private var slot = 0

  init(_ stored: StoredCatalog, isWriting: Bool) {
    self.stored = stored
    self.isWriting = isWriting
  }

  /// The catalog of all tables that were opened.
  func catalog(_ stored: StoredCatalog) -> Catalog {
    Catalog(
      meta: stored.meta, log: stored.log, generation: stored.header.generation, models: models,
      isComplete: isComplete, assumedEmpty: assumedEmpty)
  }

  /// A model that is not open and refers to one that is.
  func nextReferrer(among entries: [CatalogEntry]) -> CatalogEntry? {
    entries.first { entry in
      !models.contains { $0.id == entry.id } && entry.refers(to: models)
    }
  }

  /// Opens a model's table with the program's layout.
  mutating func add(
    _ diff: SchemaDiff, _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> Table {
    if diff.isChange, !isWriting { isComplete = false }
    let isRegistered = isWriting || diff.original.layouts.contains(diff.layout)
    let layout = RecordLayout(diff, isRegistered: isRegistered)
    let indexes = try indexes(diff, layout, transaction)
    let model = Table(
      diff, layout,
      rows: StoredTree<RecordView>(
        try tree(
          isWriting ? diff.entry.treeName : diff.original.treeName, diff,
          transaction)),
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
      let entries = try tree(CatalogEntry.treeName(ofIndex: index.id), diff, transaction)
      let status = IndexStatus(
        id: index.id, slot: slot,
        definition: IndexDefinition(columns: columns, isUnique: index.isUnique),
        lastBuilt: index.isBuilding ? [UInt8](index.built ?? Data()) : nil,
        awaitsRebuild: index.awaitsRebuild ?? false, replaces: index.replaces,
        skipsDamagedRows: index.skipsDamagedRows ?? false)
      indexes.append(EntryIndex(status, entries: entries, layout: layout))
      slot += 1
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
          targetRows: StoredTree<RecordView>(try tree(target.treeName, diff, transaction)),
          onDelete: reference.onDelete, index: index))
    }
    return references
  }

  private func tree(
    _ name: String, _ diff: SchemaDiff,
    _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> Database {
    guard let tree = try transaction.database(named: name) else {
      throw StoreError.corrupt(
        model: diff.schema.name, key: nil, reason: "its tree \(name) is missing")
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
      }, structMarks: diff.structMarks, rows: rows, indexes: indexes, references: references)
  }
}

extension RecordLayout {
  /// The layout in which a program reads and writes a model's rows.
  ///
  /// - Parameter isRegistered: Whether the catalog has the layout, so that rows may have it.
  convenience init(_ diff: SchemaDiff, isRegistered: Bool) {
    self.init(
      schema: diff.schema,
      hidden: diff.undeclared.map { RecordColumn(name: $0.name, storage: $0.storage) },
      id: isRegistered ? diff.layout.id : Self.unregistered)
  }
}

extension RecordLayout {
  /// A layout that the catalog has.
  convenience init(_ layout: CatalogEntry.Layout, of entry: CatalogEntry, _ schema: Schema) {
    let keys = entry.keys.map { key in layout.columns.first { $0.field == key }?.storage }
    let widths = keys.compactMap { $0?.keyWidth }
    self.init(
      schema: schema,
      columns: layout.columns.map { column in
        RecordColumn(
          name: entry.fields.first { $0.id == column.field }?.name ?? "field \(column.field)",
          storage: column.storage, isOnlyInKey: column.isInKey)
      }, keyWidth: widths.count == keys.count ? widths.reduce(0, +) : nil, id: layout.id)
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
    self.init(from: sourceLayout, to: targetLayout, steps)
  }
}
