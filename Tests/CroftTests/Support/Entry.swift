import Croft

/// A model with an index of every kind.
struct Entry: Hashable {
  var id: String
  var number: Int?
  var ratio: Double
  var title: String
  var note: String?
  var tags: [String?] = []
  var codes: Set<Int> = []
}

extension Entry: Model {
  static let _schema = _ModelSchema<Entry>(
    "Entry",
    [
      _keyColumn(\.id, "id"), _indexedColumn(\.number, "number", .descending),
      _indexedColumn(\.ratio, "ratio"), _indexedColumn(\.title, "title", .caseFolded),
      _column(\.note, "note"), _indexedColumn(\.tags, "tags"),
      _indexedColumn(\.codes, "codes", .descending),
    ],
    indexes: [
      _Index([\.note.descending, \.ratio]), _Index([\.title, \.number.descending, \.ratio]),
      _Index([\.number, \.tags.caseFolded, \.note]),
    ])

  var _primaryKey: String { id }

  init(_row row: inout _RowDecoder) throws {
    id = try Self._decodeKey(&row) { $0.id }
    number = try Self._decode(&row) { $0.number }
    ratio = try Self._decode(&row) { $0.ratio }
    title = try Self._decode(&row) { $0.title }
    note = try Self._decode(&row) { $0.note }
    tags = try Self._decode(&row) { $0.tags }
    codes = try Self._decode(&row) { $0.codes }
  }

  func _encode(into row: inout _RowEncoder) {
    row.encodeKey(id)
    row.encode(number)
    row.encode(ratio)
    row.encode(title)
    row.encode(note)
    row.encode(tags)
    row.encode(codes)
  }
}
