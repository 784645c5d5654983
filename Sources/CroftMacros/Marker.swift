/// The attributes that say something about one property, as they are written.
enum Marker: String, CaseIterable, CustomStringConvertible {
  case primaryKey = "PrimaryKey"
  case indexed = "Indexed"
  case coded = "Coded"
  case transient = "Transient"
  case relation = "Relation"
  case renamed = "Renamed"

  var description: String { "@" + rawValue }
}
