/// Where each column of a row lies; immutable, one for each layout id in the catalog.
///
/// The R1 format: tag, flags, layout id (u16), presence bits, fixed-width area, end
/// offsets, variable bytes. The article "Row format" draws it.
@usableFromInline
final class RowLayout: Sendable {
  /// The first byte of every row.
  static let tag: UInt8 = 0x52
  /// The flag bit that says: end offsets are 32 bits wide.
  static let wideFlag: UInt8 = 1

  let shape: ModelShape
  let id: UInt16
  let columns: [ColumnLayout]
  let fixedStart: Int
  let endsStart: Int
  let variableCount: Int
  /// The key's length where all keys have the same, else nil.
  let keyWidth: Int?

  init(shape: ModelShape, id: UInt16) {
    self.shape = shape
    self.id = id
    var columns: [ColumnLayout] = []
    let inRow = shape.columns.filter { !$0.isOnlyInKey }
    let presenceBytes = (inRow.count { $0.storage.isOptional } + 7) / 8
    var presence = 0
    var fixed = 4 + presenceBytes
    var variable = 0
    fixedStart = fixed
    for (index, column) in shape.columns.enumerated() {
      var bit: Int?
      if column.storage.isOptional {
        bit = presence
        presence += 1
      }
      let place: ColumnLayout.Place
      if column.isOnlyInKey {
        place = .key
      } else if column.storage.kind.width > 0 {
        place = .fixed(offset: fixed)
        fixed += column.storage.kind.width
      } else {
        place = .variable(slot: variable)
        variable += 1
      }
      columns.append(
        ColumnLayout(
          index: index, kind: column.storage.kind, place: place, presenceBit: bit))
    }
    self.columns = columns
    endsStart = fixed
    variableCount = variable
    keyWidth = shape.key.storage.kind.keyWidth
  }

  /// The offset of the first variable byte.
  func variableStart(isWide: Bool) -> Int { endsStart + variableCount * (isWide ? 4 : 2) }

  /// The four header bytes as a little-endian word.
  func header(isWide: Bool) -> UInt32 {
    UInt32(Self.tag) | UInt32(isWide ? Self.wideFlag : 0) << 8 | UInt32(id) << 16
  }
}
