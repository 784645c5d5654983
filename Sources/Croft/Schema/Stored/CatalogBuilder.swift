import LMDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Opens the trees of models, one after another.
struct CatalogOpening {
  private let stored: StoredCatalog
  /// Whether what changes is written now, so that layouts and indexes are there.
  private let isWriting: Bool
  private var models: [Table] = []
  private var isComplete = true
  private var slot = 0

  init(_ stored: StoredCatalog, isWriting: Bool) {
    self.stored = stored
    self.isWriting = isWriting
  }

  /// The catalog of the models opened.
  func catalog(_ stored: StoredCatalog) -> Catalog {
    Catalog(
      meta: stored.meta, log: stored.log, generation: stored.header.generation, models: models,
      isComplete: isComplete)
  }

  /// A model that is not open, and refers to one that is.
  func nextReferrer(among records: [CatalogEntry]) -> CatalogEntry? {
    records.first { record in
      !models.contains { $0.id == record.id } && record.refers(to: models)
    }
  }

  /// Opens a model as it is for the program.
  mutating func add(
    _ evolution: SchemaDiff, _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> Table {
    // A file of the first format stays as it is for as long as nothing but notes would be new.
    let isChange = stored.header.version > 1 ? evolution.isChange : evolution.isMoreThanNotes
    if isChange, !isWriting { isComplete = false }
    let isRegistered = isWriting || evolution.original.layouts.contains(evolution.layout)
    let layout = RowLayout(evolution, isRegistered: isRegistered)
    let indexes = try indexes(evolution, layout, transaction)
    let model = Table(
      evolution, layout,
      rows: RowTable(
        try tree(
          isWriting ? evolution.record.treeName : evolution.original.treeName, evolution,
          transaction)),
      indexes: indexes, references: try references(evolution, indexes, transaction))
    models.append(model)
    return model
  }

  private mutating func indexes(
    _ evolution: SchemaDiff, _ layout: RowLayout,
    _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> [TableIndex] {
    var indexes: [TableIndex] = []
    for index in evolution.record.indexes
    where isWriting || !evolution.builds.contains(index.id) {
      let columns = index.columns.compactMap { column in
        evolution.layout.columns.firstIndex { $0.field == column.field }.map {
          IndexColumn(
            place: $0, isDescending: column.isDescending, isCaseFolded: column.isCaseFolded)
        }
      }
      let entries = try tree(CatalogEntry.treeName(ofIndex: index.id), evolution, transaction)
      indexes.append(
        TableIndex(
          id: index.id, slot: slot, columns: columns, isUnique: index.isUnique, entries: entries,
          layout: layout, lastBuilt: index.isBuilding ? [UInt8](index.built ?? Data()) : nil,
          awaitsRebuild: index.awaitsRebuild ?? false, replaces: index.replaces))
      slot += 1
    }
    return indexes
  }

  private func references(
    _ evolution: SchemaDiff, _ indexes: [TableIndex],
    _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> [ForeignKey] {
    var references: [ForeignKey] = []
    for (place, column) in evolution.layout.columns.enumerated() {
      let field = evolution.record.fields.first { $0.id == column.field }
      guard let reference = field?.reference,
        let target = stored.records.first(where: { $0.id == reference.model })
      else { continue }
      guard
        let index = indexes.first(where: {
          $0.columns == [IndexColumn(place: place)] && !$0.isBuilding
        })
      else {
        // Rules are for writers, which have every index.
        guard isWriting else { continue }
        throw StoreError.corrupt(
          model: evolution.schema.name, key: nil,
          reason: "its references \(field?.name ?? "") have no index")
      }
      references.append(
        ForeignKey(
          column: place, target: target.id,
          targetRows: RowTable(try tree(target.treeName, evolution, transaction)),
          onDelete: reference.onDelete, index: index))
    }
    return references
  }

  private func tree(
    _ name: String, _ evolution: SchemaDiff,
    _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> Database {
    guard let tree = try transaction.database(named: name) else {
      throw StoreError.corrupt(
        model: evolution.schema.name, key: nil, reason: "its tree \(name) is missing")
    }
    return tree
  }
}

extension Table {
  /// A model's place, with a plan for each layout that its rows may have.
  convenience init(
    _ evolution: SchemaDiff, _ layout: RowLayout, rows: RowTable, indexes: [TableIndex],
    references: [ForeignKey]
  ) {
    let values = FieldValues(evolution.record)
    var transcoders: [UInt16: RowTranscoder] = [:]
    for source in evolution.record.layouts where source.id != layout.id {
      transcoders[source.id] = RowTranscoder(
        from: source, RowLayout(source, of: evolution.record, evolution.schema),
        to: evolution.layout, layout, values)
    }
    self.init(
      id: evolution.record.id, schema: evolution.schema, layout: layout, transcoders: transcoders,
      hiddenValues: evolution.hidden.map { field in
        if let preset = values.presets[field.id] { return .value(preset) }
        return field.storage.isOptional ? .absent : .missing
      }, structMarks: evolution.structMarks, rows: rows, indexes: indexes, references: references)
  }
}

extension RowLayout {
  /// The layout that a program sees a model's rows in.
  ///
  /// - Parameter isRegistered: Whether the catalog has it, so that rows may be of it.
  convenience init(_ evolution: SchemaDiff, isRegistered: Bool) {
    self.init(
      schema: evolution.schema,
      hidden: evolution.hidden.map { RowColumn(name: $0.name, storage: $0.storage) },
      id: isRegistered ? evolution.layout.id : Self.unregistered)
  }
}

/// The values that the catalog keeps for fields.
struct FieldValues {
  /// What rows of layouts without a field hold.
  let absent: [Int: FieldValue]
  /// What a nil is read as where there must be a value.
  let presets: [Int: FieldValue]

  init(_ record: CatalogEntry) {
    func values(_ bytes: (CatalogEntry.Field) -> [UInt8]?) -> [Int: FieldValue] {
      Dictionary(
        record.fields.compactMap { field in bytes(field).map { (field.id, FieldValue($0)) } },
        uniquingKeysWith: { first, _ in first })
    }
    absent = values { $0.absent.map { [UInt8]($0) } }
    presets = values { $0.preset.map { [UInt8]($0) } }
  }
}

extension RowLayout {
  /// A layout of the catalog's.
  convenience init(_ layout: CatalogEntry.Layout, of record: CatalogEntry, _ schema: Schema) {
    let keys = record.keys.map { key in layout.columns.first { $0.field == key }?.storage }
    let widths = keys.compactMap { $0?.keyWidth }
    self.init(
      schema: schema,
      columns: layout.columns.map { column in
        RowColumn(
          name: record.fields.first { $0.id == column.field }?.name ?? "field \(column.field)",
          storage: column.storage, isOnlyInKey: column.isInKey)
      }, keyWidth: widths.count == keys.count ? widths.reduce(0, +) : nil, id: layout.id)
  }
}

extension RowTranscoder {
  /// The plan that brings rows of one layout of the catalog into another, field by field.
  ///
  /// - Parameter fillsZero: Whether a value that must be, and is nowhere, is zero.
  init(
    from source: CatalogEntry.Layout, _ sourceLayout: RowLayout, to target: CatalogEntry.Layout,
    _ targetLayout: RowLayout, _ values: FieldValues, fillsZero: Bool = false
  ) {
    let steps = zip(target.columns, targetLayout.columns).map { column, place in
      let found = source.columns.firstIndex { $0.field == column.field }
      let widening = found.flatMap {
        Widening(from: source.columns[$0].storage, to: column.storage)
      }
      var nothing = column.storage.isOptional ? nil : values.presets[column.field]
      if fillsZero, nothing == nil, !column.storage.isOptional {
        nothing = .zero(of: column.storage)
      }
      guard let found, let widening else {
        return Step(
          target: place, source: nil, widening: .none,
          substitute: values.absent[column.field] ?? nothing)
      }
      return Step(
        target: place, source: sourceLayout.columns[found], widening: widening,
        substitute: nothing)
    }
    self.init(from: sourceLayout, to: targetLayout, steps)
  }
}
