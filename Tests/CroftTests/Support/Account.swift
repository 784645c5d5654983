import Croft

/// A model with a unique property, a unique pair, and a list of unique elements.
struct Account: Hashable {
  var id: Int
  var email: String?
  var team = ""
  var number: Int?
  var badges: [Int] = []
}

extension Account: Model {
  static let _schema = _ModelSchema<Account>(
    "Account",
    [
      _keyColumn(\.id, "id"), _indexedColumn(\.email, "email", .unique), _column(\.team, "team"),
      _column(\.number, "number"), _indexedColumn(\.badges, "badges", .unique),
    ], indexes: [_Index([\.team, \.number.descending], isUnique: true)])

  var _primaryKey: Int { id }

  init(_row row: inout _RowDecoder) throws {
    id = try Self._decodeKey(&row) { $0.id }
    email = try Self._decode(&row) { $0.email }
    team = try Self._decode(&row) { $0.team }
    number = try Self._decode(&row) { $0.number }
    badges = try Self._decode(&row) { $0.badges }
  }

  func _encode(into row: inout _RowEncoder) {
    row.encodeKey(id)
    row.encode(email)
    row.encode(team)
    row.encode(number)
    row.encode(badges)
  }
}
