import Croft
import Foundation

/// The same columns under indexes over several of them; written by hand, as `@Model` would.
enum Compound {
  struct Thing: Hashable {
    var id: Int16
    var flag: Bool
    var small: Int8?
    var large: Int64
    var size: UInt64
    var ratio: Double
    var score: Float?
    var title: String
    var note: String?
    var day: Date?
    var token: UUID
    var bytes: Data
    var genre: Genre?
  }
}

extension Compound.Thing: Model {
  static let _schema = _ModelSchema<Compound.Thing>(
    "Thing",
    [
      _keyColumn(\Compound.Thing.id, "id"), _column(\Compound.Thing.flag, "flag"),
      _column(\Compound.Thing.small, "small"), _column(\Compound.Thing.large, "large"),
      _column(\Compound.Thing.size, "size"), _column(\Compound.Thing.ratio, "ratio"),
      _column(\Compound.Thing.score, "score"), _column(\Compound.Thing.title, "title"),
      _column(\Compound.Thing.note, "note"), _column(\Compound.Thing.day, "day"),
      _column(\Compound.Thing.token, "token"), _column(\Compound.Thing.bytes, "bytes"),
      _column(\Compound.Thing.genre, "genre"),
    ],
    indexes: [
      _Index([\.flag, \.small.descending]), _Index([\.small, \.title.descending, \.day]),
      _Index([\.genre.descending, \.flag]), _Index([\.title.caseFolded]),
      _Index([\.note.descending]), _Index([\.score.descending, \.note.caseFolded]),
      _Index([\.day.descending]), _Index([\.bytes, \.ratio]), _Index([\.ratio.descending]),
    ])

  var _primaryKey: Int16 { id }

  init(_row row: inout _RowDecoder) throws {
    id = try Self._decodeKey(&row) { $0.id }
    flag = try Self._decode(&row) { $0.flag }
    small = try Self._decode(&row) { $0.small }
    large = try Self._decode(&row) { $0.large }
    size = try Self._decode(&row) { $0.size }
    ratio = try Self._decode(&row) { $0.ratio }
    score = try Self._decode(&row) { $0.score }
    title = try Self._decode(&row) { $0.title }
    note = try Self._decode(&row) { $0.note }
    day = try Self._decode(&row) { $0.day }
    token = try Self._decode(&row) { $0.token }
    bytes = try Self._decode(&row) { $0.bytes }
    genre = try Self._decode(&row) { $0.genre }
  }

  func _encode(into row: inout _RowEncoder) {
    row.encodeKey(id)
    row.encode(flag)
    row.encode(small)
    row.encode(large)
    row.encode(size)
    row.encode(ratio)
    row.encode(score)
    row.encode(title)
    row.encode(note)
    row.encode(day)
    row.encode(token)
    row.encode(bytes)
    row.encode(genre)
  }
}
