#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What becomes of each stored field.

extension SchemaDiff {
  /// Forgets fields, unless the program declares them.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` for a name that no field has, and
  ///   that is all but the name of one which could be dropped.
  mutating func drop(_ names: [String], _ claims: [Int?]) throws {
    for name in names {
      let hidden = record.fields.filter { !claims.contains($0.id) }
      let found = hidden.filter { $0.name == name }
      let dropped = found.isEmpty ? hidden.filter { $0.isNamed(name) } : found
      if dropped.isEmpty, !record.fields.contains(where: { $0.isNamed(name) }),
        let meant = hidden.first(where: { $0.name.isMisspelled(as: name) })
      {
        throw mismatch(
          name, "it is to be dropped, and the store has no such field; did you mean \(meant.name)?")
      }
      record.fields.removeAll { field in dropped.contains { $0.id == field.id } }
    }
  }

  /// Settles a column's name and type with its stored field, or makes one.
  ///
  /// - Returns: The field's id.
  mutating func field(of column: ColumnDefinition, _ claim: Int?, isKnown: Bool) throws -> Int {
    guard let claim, let place = record.place(of: claim) else { return try addField(column) }
    do {
      try settleType(of: column, at: place, isKnown: isKnown)
    } catch let error as StoreError {
      guard mayReplace(column.name) else { throw error }
      // The rows' bytes stay in their layouts under the old number, which nobody reads again.
      record.fields.remove(at: place)
      return try addField(column)
    }
    if !isKnown { record.fields[place].rename(to: column.name, from: column.aliases) }
    return claim
  }

  private mutating func addField(_ column: ColumnDefinition) throws -> Int {
    let value =
      marksStoredStruct(column)
      ? Self.present : column.isKey ? nil : column.evaluateDefault(of: schema).map { Data($0) }
    guard value != nil || column.storage.isOptional || mayReplace(column.name) else {
      throw mismatch(
        column.name,
        "\(surroundings.rowCount) stored objects have no value for it; give the property a default, make it "
          + "optional, name the field it was with @Renamed(from:), or "
          + migrationRemedy(column.name))
    }
    let id = record.nextField
    record.fields.append(
      CatalogEntry.Field(
        id: id, name: column.name, aliases: column.aliases, type: StoredType(column.storage),
        absent: value, preset: value,
        isPresetFormer: column.storage.isOptional && value != nil ? true : nil))
    record.nextField += 1
    return id
  }

  /// What a column that tells whether a struct is there holds where it is.
  private static let present = Data([1])

  /// Whether a column tells if a struct is there, which was always there up to now.
  private func marksStoredStruct(_ column: ColumnDefinition) -> Bool {
    guard column.storage == StorageType(.bool) else { return false }
    return schema.columns.contains { inner in
      inner.name.hasPrefix(column.name + ".")
        && original.fields.contains { field in
          field.isNamed(inner.name) || inner.aliases.contains { field.isNamed($0) }
        }
    }
  }

  private mutating func settleType(
    of column: ColumnDefinition, at place: Int, isKnown: Bool
  ) throws {
    var field = record.fields[place]
    let (stored, declared) = (field.storage, column.storage)
    guard let widening = Widening(from: stored, to: declared),
      !column.isKey || stored.hasSameKeyCode(as: declared)
    else {
      throw mismatch(
        column.name,
        "the store holds \(stored.text), the program declares \(declared.text); declare what "
          + "the store holds, or " + migrationRemedy(column.name))
    }
    if widening != .none {
      field.absent = field.absent.map { widening.apply(to: $0, width: declared.width) }
      field.preset = field.preset.map { widening.apply(to: $0, width: declared.width) }
    }
    if !column.isKey { settlePreset(of: column, &field, from: stored, isKnown: isKnown) }
    // Other programs' rows may still hold nil, unless all rows are written anew.
    let isOptional = declared.isOptional || (stored.isOptional && !isRewritten)
    field.storage = isOptional ? declared.optional : declared
    guard
      declared.isOptional || !stored.isOptional || field.preset != nil || mayReplace(column.name)
    else {
      throw mismatch(
        column.name,
        "the store holds \(stored.text), the program declares \(declared.text); give the "
          + "property a default for the objects that have none, declare it optional, or "
          + migrationRemedy(column.name))
    }
    guard
      declared.isOptional || !stored.isOptional || !isUnique(column, field.id, isKnown: isKnown)
        || mayReplace(column.name)
    else {
      throw mismatch(
        column.name,
        "its values are unique, and the store holds \(stored.text): objects without a value clash "
          + "with nobody, and would all have one default; declare it optional, or "
          + migrationRemedy(column.name))
    }
    record.fields[place] = field
  }

  /// Whether a column is one of a unique index's, of those that there are for the program.
  private func isUnique(_ column: ColumnDefinition, _ field: Int, isKnown: Bool) -> Bool {
    schema.indexes.contains { index in
      index.isUnique && index.columns.contains { schema.columns[$0.place].name == column.name }
    }
      || isKnown
        && record.indexes.contains { index in
          index.isUnique && index.columns.contains { $0.field == field }
        }
  }

  /// Settles what a nil is read as where the program needs a value.
  ///
  /// Once a program says that a field may be nil, the default from before is nobody's word on what
  /// that means, and the next program that needs a value says so. An older one may share its form,
  /// which does not tell defaults apart; its default is then the one that is kept.
  private mutating func settlePreset(
    of column: ColumnDefinition, _ field: inout CatalogEntry.Field, from stored: StorageType,
    isKnown: Bool
  ) {
    let readsNil = stored.isOptional && !column.storage.isOptional
    let isFormer = readsNil && field.isPresetFormer == true
    if field.preset == nil || isFormer {
      let preset = column.evaluateDefault(of: schema).map { Data($0) }
      if isFormer, field.preset != preset { changedPresets.insert(field.id) }
      if !isKnown || field.preset != preset { field.isPresetFormer = nil }
      field.preset = preset
    }
    if column.storage.isOptional, !isKnown, field.preset != nil { field.isPresetFormer = true }
  }

  /// Notes what a field refers to; of two programs that differ the newer one's word counts.
  mutating func settleReference(
    of column: ColumnDefinition, _ field: Int, isKnown: Bool
  ) throws {
    guard let place = record.place(of: field), !isKnown || column.reference != nil else { return }
    guard let reference = column.reference else {
      record.fields[place].reference = nil
      return
    }
    if isKnown, record.fields[place].reference != nil { return }
    let target = reference.target().name
    guard let model = surroundings.models[target] else {
      throw mismatch(
        column.name,
        "it refers to \(target), which the store does not hold; name \(target) in "
          + "Store.open(at:models:) as well")
    }
    record.fields[place].reference = CatalogEntry.Reference(
      model: model, onDelete: reference.onDelete)
  }

  /// Checks that the primary key is what it was, or notes that a migration changes it.
  mutating func settleKey() throws {
    let keys = schema.keyPlaces.map { fields[$0] }
    if record.keys == keys { return }
    guard schema.keyPlaces.contains(where: { mayReplace(schema.columns[$0].name) }) else {
      let stored = record.keys.map { id in
        record.fields.first { $0.id == id }?.name ?? "field \(id)"
      }.joined(separator: ", ")
      throw mismatch(
        schema.key.name,
        "the store's primary key is \(stored); mark that one, or "
          + migrationRemedy(schema.key.name)
      )
    }
    record.keys = keys
  }
}

extension StorageType {
  /// Whether a value's key code is the same in both types.
  func hasSameKeyCode(as other: StorageType) -> Bool {
    if self == other { return true }
    guard collection == nil, other.collection == nil else { return false }
    return isOptional == other.isOptional
      && (kind.isSigned && other.kind.isSigned || kind.isUnsigned && other.kind.isUnsigned)
  }
}

extension Widening {
  /// A value's bytes in the wider type.
  func apply(to bytes: Data, width: Int) -> Data {
    guard self != .none else { return bytes }
    var wide = _ByteBuffer(capacity: max(1, width))
    // Safety: the buffer has room for the width.
    let source = [UInt8](bytes)
    unsafe source.withUnsafeBytes { unsafe copy($0, to: wide.base, width: width) }
    wide.count = width
    return unsafe Data([UInt8](wide.bytes))
  }
}

extension String {
  /// Whether it differs from another text in one letter, or in the case of letters alone.
  fileprivate func isMisspelled(as other: String) -> Bool {
    let (left, right) = (Array(lowercased()), Array(other.lowercased()))
    if left == right { return true }
    let (short, long) = left.count < right.count ? (left, right) : (right, left)
    guard short.count >= 4, long.count - short.count < 2 else { return false }
    let start = zip(short, long).prefix { $0 == $1 }.count
    let rest = short.dropFirst(start + (short.count == long.count ? 1 : 0))
    // A number at the end tells names apart that are both meant.
    return long[start].isLetter && long.dropFirst(start + 1).elementsEqual(rest)
      && (short.count < long.count || short[start].isLetter)
  }
}
