import LMDB

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
