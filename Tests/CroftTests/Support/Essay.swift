@testable import Croft

/// A model with an index for searches, written as a macro would.
struct Essay: Model, Hashable {
  var id: Int
  var title: String
  var body: String?
  var tags: [String]

  static let _schema = _ModelSchema<Essay>(
    "Essay",
    [
      _keyColumn(\.id, "id"), _column(\.title, "title"), _column(\.body, "body"),
      _column(\.tags, "tags"),
    ],
    indexes: [_Index(searching: [\.title, \.body, \.tags])])

  var _primaryKey: Int { id }

  init(id: Int, title: String, body: String? = nil, tags: [String] = []) {
    (self.id, self.title, self.body, self.tags) = (id, title, body, tags)
  }

  init(_record row: inout _RecordDecoder) throws {
    id = try Self._decodeKey(&row) { $0.id }
    title = try Self._decode(&row) { $0.title }
    body = try Self._decode(&row) { $0.body }
    tags = try Self._decode(&row) { $0.tags }
  }

  func _encode(into row: inout _RecordEncoder) {
    row.encodeKey(id)
    row.encode(title)
    row.encode(body)
    row.encode(tags)
  }
}

/// The same model in a program that declares no index.
enum Unsearched {
  @Model struct Essay: Hashable {
    @PrimaryKey var id: Int
    var title: String
    var body: String?
    var tags: [String]
  }
}
