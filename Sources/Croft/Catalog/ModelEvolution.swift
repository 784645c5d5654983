#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What becomes of a stored model when a program with some form of it opens the store.
///
/// It is worked out from the record and the program's shape alone, and writes nothing. Rows
/// stay as they are: what changes is what they are read as.
struct ModelEvolution {
  let shape: ModelShape
  /// The record as it is stored; without fields for a model that is not.
  let original: ModelRecord
  /// The record afterwards.
  var record: ModelRecord
  /// The fields of the program's columns, in declaration order.
  var fields: [Int] = []
  /// The layout that the program sees rows in.
  var layout = ModelRecord.Layout(id: RowLayout.unregistered, columns: [])
  /// The indexes whose entries must be made from the rows.
  var builds: [Int] = []
  /// The indexes that are no more.
  var drops: [Int] = []
  /// Whether columns of another type are new fields, because a migration fills them in or there
  /// is no row to fill in.
  let replacesTypes: Bool
  let surroundings: Surroundings

  /// What a model's change depends on beside the model.
  struct Surroundings {
    /// How many objects there are.
    var rowCount: Int
    /// The numbers that the indexes of all models have.
    var indexes: Set<Int>
    /// The number of each model, by its name in the program or in the store.
    var models: [String: Int]
    /// Whether the program does not declare the model, so that all stays as it is.
    var isForeign = false
  }

  /// Works out the change.
  ///
  /// - Parameters:
  ///   - original: The stored record.
  ///   - shape: The program's form of the model.
  ///   - surroundings: What else there is.
  ///   - dropping: The names of fields that a migration drops.
  ///   - isMigrated: Whether a migration's closure fills in what cannot be carried.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` naming what does not fit.
  init(
    of original: ModelRecord, to shape: ModelShape, _ surroundings: Surroundings,
    dropping: [String] = [], isMigrated: Bool = false
  ) throws {
    self.shape = shape
    self.original = original
    self.surroundings = surroundings
    record = original
    replacesTypes = isMigrated || surroundings.rowCount == 0
    let form = shape.form
    let isKnown = surroundings.isForeign || record.forms.contains(form)
    if record.name != shape.name, !record.aliases.contains(shape.name) {
      record.aliases.append(record.name)
      record.name = shape.name
    }
    let claims = claims()
    drop(dropping + (isKnown ? [] : shape.removed), claims)
    for (place, column) in shape.columns.enumerated() {
      let field = try field(of: column, claims[place])
      fields.append(field)
      if !surroundings.isForeign { try settleReference(of: column, field, isKnown: isKnown) }
    }
    markStructsThatAreAlwaysThere()
    try settleKey()
    evolveIndexes(isKnown: isKnown)
    try settleLayout()
    if !isKnown { record.forms.append(form) }
  }

  /// Whether the store must be written to.
  var isChange: Bool { record != original }

  /// Whether rows, or what they are read as, change: more than notes about the program.
  var isMoreThanNotes: Bool {
    var plain = record
    plain.forms = original.forms
    for place in plain.fields.indices where place < original.fields.count {
      plain.fields[place].preset = original.fields[place].preset
    }
    return plain != original
  }

  /// The fields that the program does not declare, in the catalog's order.
  var hidden: [ModelRecord.Field] { record.fields.filter { !fields.contains($0.id) } }

  /// The stored type that a field has in the program's layout.
  func storage(of field: Int) -> StorageType? {
    if let place = fields.firstIndex(of: field) { return shape.columns[place].storage }
    return record.fields.first { $0.id == field }?.storage
  }

  func mismatch(_ field: String?, _ reason: String) -> StoreError {
    .schemaMismatch(model: shape.name, field: field, reason: reason)
  }

  /// What to do about a change that needs the program's word.
  func migrationRemedy(_ field: String) -> String {
    "convert it where the store is opened: Store.open(at:models:migrations: "
      + "[.model(\(shape.name).self) { old, new in new?.\(field) = … }])"
  }

  private mutating func settleLayout() throws {
    layout.columns = zip(fields, shape.columns).map { field, column in
      ModelRecord.Layout.Column(
        field: field, type: StoredType(column.storage), isInKey: column.isOnlyInKey)
    }
    layout.columns += hidden.map {
      ModelRecord.Layout.Column(field: $0.id, type: $0.type, isInKey: false)
    }
    if let known = record.layouts.first(where: { $0.columns == layout.columns }) {
      layout.id = known.id
      return
    }
    let last = record.layouts.map(\.id).max() ?? RowLayout.unregistered
    guard last < UInt16.max else {
      throw mismatch(nil, "it had 65,535 layouts already; copy its objects into a new store")
    }
    layout.id = last + 1
    record.layouts.append(layout)
  }
}
