/// The attributes that say something about one property, as they are written.
enum Marker: String, CaseIterable, CustomStringConvertible {
  case primaryKey = "PrimaryKey"
  case indexed = "Indexed"

  var description: String { "@" + rawValue }
}
