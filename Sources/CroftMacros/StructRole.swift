/// The kind of type that an attribute makes of a struct, by the attribute's name.
enum StructRole: String, CustomStringConvertible {
  case model = "Model"
  case embedded = "Embedded"

  var description: String { "@" + rawValue }

  /// What the struct becomes, in words.
  var noun: String {
    switch self {
    case .model: "a model"
    case .embedded: "a part of models"
    }
  }
}
