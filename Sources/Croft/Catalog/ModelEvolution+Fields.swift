#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Which stored field each property is, and what becomes of its type.

extension ModelEvolution {
  /// The stored field of each column, by its present name, else by a former one; nil for a new
  /// property.
  func claims() -> [Int?] {
    var claims = shape.columns.map { column in
      record.fields.first { $0.name == column.name }?.id
    }
    for (place, column) in shape.columns.enumerated() where claims[place] == nil {
      claims[place] =
        record.fields.first { field in
          !claims.contains(field.id)
            && (field.aliases.contains(column.name)
              || column.aliases.contains { field.isNamed($0) })
        }?.id
    }
    return claims
  }

  /// Forgets fields, unless the program declares them.
  mutating func drop(_ names: [String], _ claims: [Int?]) {
    record.fields.removeAll { field in
      !claims.contains(field.id) && names.contains { field.isNamed($0) }
    }
  }

  /// Settles a column's name and type with its stored field, or makes one.
  ///
  /// - Returns: The field's id.
  mutating func field(of column: ColumnShape, _ claim: Int?) throws -> Int {
    guard let claim, let place = record.place(of: claim) else { return try addField(column) }
    do {
      try settleType(of: column, at: place)
    } catch let error as StoreError {
      guard replacesTypes else { throw error }
      // The rows' bytes stay in their layouts under the old number, which nobody reads again.
      record.fields.remove(at: place)
      return try addField(column)
    }
    if !record.fields[place].isNamed(column.name) {
      record.fields[place].aliases.append(record.fields[place].name)
      record.fields[place].name = column.name
    }
    return claim
  }

  private mutating func addField(_ column: ColumnShape) throws -> Int {
    let value =
      marksStoredStruct(column)
      ? Self.present : column.isKey ? nil : column.evaluateDefault(of: shape).map { Data($0) }
    guard value != nil || column.storage.isOptional || replacesTypes else {
      throw mismatch(
        column.name,
        "\(surroundings.rowCount) stored objects have no value for it; give the property a default, make it "
          + "optional, name the field it was with @Renamed(from:), or "
          + migrationRemedy(column.name))
    }
    let id = record.nextField
    record.fields.append(
      ModelRecord.Field(
        id: id, name: column.name, type: StoredType(column.storage), absent: value, preset: value))
    record.nextField += 1
    return id
  }

  /// What a column that tells whether a struct is there holds where it is.
  private static let present = Data([1])

  /// Whether a column tells if a struct is there, which was always there up to now.
  private func marksStoredStruct(_ column: ColumnShape) -> Bool {
    guard column.storage == StorageType(.bool) else { return false }
    return shape.columns.contains { inner in
      inner.name.hasPrefix(column.name + ".")
        && original.fields.contains { field in
          field.isNamed(inner.name) || inner.aliases.contains { field.isNamed($0) }
        }
    }
  }

  /// Has this program's inserts tell others, who may lack a struct, that it is there.
  mutating func markStructsThatAreAlwaysThere() {
    for place in record.fields.indices where !fields.contains(record.fields[place].id) {
      guard record.fields[place].storage == StorageType(.bool) else { continue }
      let prefix = record.fields[place].name + "."
      guard shape.columns.contains(where: { $0.name.hasPrefix(prefix) }) else { continue }
      record.fields[place].preset = Self.present
    }
  }

  private mutating func settleType(of column: ColumnShape, at place: Int) throws {
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
    if field.preset == nil, !column.isKey {
      field.preset = column.evaluateDefault(of: shape).map { Data($0) }
    }
    // Other programs' rows may still hold nil, unless all rows are written anew.
    let isOptional = declared.isOptional || (stored.isOptional && !replacesTypes)
    field.storage = isOptional ? declared.optional : declared
    guard declared.isOptional || !stored.isOptional || field.preset != nil || replacesTypes else {
      throw mismatch(
        column.name,
        "the store holds \(stored.text), the program declares \(declared.text); give the "
          + "property a default for the objects that have none, declare it optional, or "
          + migrationRemedy(column.name))
    }
    record.fields[place] = field
  }

  /// Notes what a field refers to; of two programs that differ the newer one's word counts.
  mutating func settleReference(
    of column: ColumnShape, _ field: Int, isKnown: Bool
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
    record.fields[place].reference = ModelRecord.Reference(
      model: model, onDelete: reference.onDelete)
  }

  /// Checks that the primary key is what it was, or notes that a migration changes it.
  mutating func settleKey() throws {
    let keys = shape.keyPlaces.map { fields[$0] }
    if record.keys == keys { return }
    guard replacesTypes else {
      let stored = record.keys.map { id in
        record.fields.first { $0.id == id }?.name ?? "field \(id)"
      }.joined(separator: ", ")
      throw mismatch(
        shape.key.name,
        "the store's primary key is \(stored); mark that one, or " + migrationRemedy(shape.key.name)
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
