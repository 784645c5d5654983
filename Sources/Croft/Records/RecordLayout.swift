/// The place of each column in a row; immutable, one for each layout id in the catalog.
///
/// The R1 format: tag, flags, layout id (u16), presence bits, fixed-width area, end
/// offsets, variable bytes. The article "Row format" draws it.
@usableFromInline
final class RecordLayout: Sendable {
  /// The first byte of every row.
  static let tag: UInt8 = 0x52
  /// The flag bit of rows whose end offsets are 32 bits wide.
  static let wideFlag: UInt8 = 1
  /// The flag bit of rows that have a checksum behind them in their table.
  static let checksumFlag: UInt8 = 2
  /// The id of a layout that the catalog does not have yet; no row is of it.
  static let unregistered: UInt16 = 0

  let schema: Schema
  let id: UInt16
  /// The program's columns in declaration order, then the hidden ones.
  let columns: [ColumnLayout]
  /// The columns' names, in the same order.
  let names: [String]
  let fixedStart: Int
  let endsStart: Int
  let variableCount: Int
  /// Whether some columns are hidden.
  let hasHidden: Bool
  /// The key's length where all keys have the same, else nil.
  let keyWidth: Int?

  /// The layout of the program's own columns, and of stored fields that it does not declare.
  convenience init(schema: Schema, hidden: [RecordColumn] = [], id: UInt16) {
    self.init(
      schema: schema, columns: schema.columns.map(RecordColumn.init) + hidden,
      keyWidth: schema.keyWidth, id: id)
  }

  /// A layout of any columns.
  init(schema: Schema, columns rowColumns: [RecordColumn], keyWidth: Int?, id: UInt16) {
    self.schema = schema
    self.id = id
    self.keyWidth = keyWidth
    var columns: [ColumnLayout] = []
    let optionals = rowColumns.count { $0.storage.isOptional && !$0.isOnlyInKey }
    var presence = 0
    var fixed = 4 + (optionals + 7) / 8
    var variable = 0
    fixedStart = fixed
    for (index, column) in rowColumns.enumerated() {
      var bit: Int?
      if column.storage.isOptional {
        bit = presence
        presence += 1
      }
      let place: ColumnLayout.Place
      if column.isOnlyInKey {
        place = .key
      } else if column.storage.width > 0 {
        place = .fixed(offset: fixed)
        fixed += column.storage.width
      } else {
        place = .variable(slot: variable)
        variable += 1
      }
      columns.append(
        ColumnLayout(
          index: index, storage: column.storage, place: place, presenceBit: bit))
    }
    self.columns = columns
    hasHidden = columns.count > schema.columns.count
    names = rowColumns.map(\.name)
    endsStart = fixed
    variableCount = variable
  }

  /// The columns that the program does not declare.
  var hidden: ArraySlice<ColumnLayout> { columns[schema.columns.count...] }

  /// The offset of the first variable byte.
  func variableStart(isWide: Bool) -> Int { endsStart + variableCount * (isWide ? 4 : 2) }

  /// The four header bytes as a little-endian word.
  func header(isWide: Bool) -> UInt32 {
    let flags = isWide ? Self.wideFlag | Self.checksumFlag : Self.checksumFlag
    return UInt32(Self.tag) | UInt32(flags) << 8 | UInt32(id) << 16
  }
}

/// A column as a layout is made of it.
struct RecordColumn: Sendable, Hashable {
  var name: String
  var storage: StorageType
  /// Whether the row leaves it out because the key holds it.
  var isOnlyInKey = false
}

extension RecordColumn {
  /// A property of the program's.
  init(_ column: ColumnDefinition) {
    self.init(name: column.name, storage: column.storage, isOnlyInKey: column.isOnlyInKey)
  }
}
