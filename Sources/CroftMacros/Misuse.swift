import SwiftDiagnostics

/// A way of writing a model that its syntax already shows to be wrong.
///
/// An unstorable type is not among them: types are never interpreted, so that one is a conformance
/// error of the compiler, at the line of the expansion that names the property.
enum Misuse: Equatable, DiagnosticMessage {
  case notAStruct(StructRole, keyword: String)
  case genericType(StructRole, String)
  case localType(StructRole, String)
  case noPrimaryKey(model: String)
  case constantWithDefault(String)
  case lazyProperty(String)
  case observedProperty(String)
  case conditionalProperty
  case tuplePattern
  case initializerNeedsAnnotation(String, model: String)
  case primaryKeyNeedsAnnotation(String)
  case optionalPrimaryKey(String)
  case unfitPrimaryKey(String, type: String)
  case optionalOfOptional(String)
  case relationOffReference(String)
  case nullifiedRequired(String)
  case caseFoldedOffText(String, type: String)
  case markerOnPrimaryKey(Marker, String)
  case unorderedIndex(String, type: String)
  case indexOnCoded(String)
  case transientNeedsDefault(String)
  case transientMarked(String, Marker)
  case markerInEmbedded(Marker)
  case renamedOffModel
  case removedOffModel
  case namesNothing(String)
  case indexOutsideModel(String)
  case indexOfNothing(String)
  case indexOfUnknown(String, model: String)
  case searchOffText(String, type: String)
  case secondFullText(model: String)
  case markerOffProperty(Marker)
  case markerOnStatic(Marker, String)
  case markerOnComputed(Marker, String)
  case markerOnList(Marker)
  case markerOutsideModel(Marker)

  var message: String {
    switch self {
    case .notAStruct(let role, let keyword):
      "\(role) makes a struct \(role.noun), and this is declared with '\(keyword)'"
    case .genericType(let role, let name):
      "'\(name)' cannot be \(role.noun), because it is generic or inside a generic type"
    case .localType(let role, let name):
      "'\(name)' cannot be \(role.noun) inside a function; move it to file scope or into a type"
    case .noPrimaryKey(let model):
      "'\(model)' has no primary key; mark one of its properties with @PrimaryKey"
    case .constantWithDefault(let name):
      "'\(name)' is a constant with a value, so a stored value could never be read into it"
    case .lazyProperty(let name):
      "'\(name)' is lazy, and a model stores only values that are there already"
    case .observedProperty(let name):
      "'\(name)' has observers, and a model holds plain values; observe the store instead"
    case .conditionalProperty:
      "a model's properties cannot depend on '#if', because the stored fields would too"
    case .tuplePattern:
      "a model declares its properties one by one, not by a tuple pattern"
    case .initializerNeedsAnnotation(let name, let model):
      "'\(name)' needs a type annotation: it is a parameter of the initializer made for '\(model)'"
    case .primaryKeyNeedsAnnotation(let name):
      "the primary key '\(name)' needs a type annotation"
    case .optionalPrimaryKey(let name):
      "the primary key '\(name)' cannot be optional"
    case .unfitPrimaryKey(let name, let type):
      "the primary key '\(name)' cannot be of type \(type); use an integer, a String, UUID, Date, Data, "
        + "Ref, or an enum that is a StoredEnum"
    case .optionalOfOptional(let name):
      "'\(name)' cannot be an optional of an optional; write one '?'"
    case .relationOffReference(let name):
      "@Relation has no effect on '\(name)', which holds no reference; make it a Ref, or remove "
        + "@Relation"
    case .nullifiedRequired(let name):
      "'\(name)' must refer to an object, so it cannot be nullified; make it optional, or choose "
        + ".cascade or .deny"
    case .caseFoldedOffText(let name, let type):
      "'\(name)' has no letter case to fold, because it is of type \(type); remove '.caseFolded'"
    case .markerOnPrimaryKey(.coded, let name):
      "the primary key '\(name)' cannot be JSON; its type must be one that keys can have"
    case .markerOnPrimaryKey(let marker, let name):
      "\(marker) has no effect on the primary key '\(name)'; declare an #Index where you need one"
    case .unorderedIndex(let name, let type):
      "'\(name)' cannot be indexed, because \(type) has no order"
    case .indexOnCoded(let name):
      "'\(name)' cannot be indexed, because an index cannot look into JSON"
    case .transientNeedsDefault(let name):
      "'\(name)' is not stored, so it needs a default to start with when an object is read"
    case .transientMarked(let name, let marker):
      "\(marker) has no effect on '\(name)', which is not stored"
    case .markerInEmbedded(.indexed):
      "@Indexed has no effect in an embedded struct; declare an #Index in the model that holds it"
    case .markerInEmbedded(let marker):
      "\(marker) has no effect in an embedded struct; it marks a property of a model"
    case .renamedOffModel:
      "@Renamed marks a model, or a stored property of a model or an embedded struct"
    case .removedOffModel:
      "@Removed marks a model, and names fields that its store is to drop"
    case .namesNothing(let attribute):
      "@\(attribute) has no effect without a name"
    case .indexOutsideModel(let name):
      "#\(name) has no effect here; write it inside a struct that is marked with @Model"
    case .indexOfNothing(let name):
      "#\(name) names no property; list key paths, such as #\(name)<Song>([\\.artist, \\.title])"
    case .indexOfUnknown(let name, let model):
      "'\(model)' has no stored property '\(name)'"
    case .searchOffText(let name, let type):
      "'\(name)' has no text to search, because it is of type \(type); name texts, or arrays or sets of "
        + "texts"
    case .secondFullText(let model):
      "'\(model)' has a #FullText already; name all its texts in one"
    case .markerOffProperty(let marker):
      "\(marker) marks a stored property of a model"
    case .markerOnStatic(let marker, let name):
      "\(marker) cannot mark '\(name)', which is static and so in no stored object"
    case .markerOnComputed(let marker, let name):
      "\(marker) cannot mark '\(name)', which is computed and so never stored"
    case .markerOnList(let marker):
      "\(marker) marks one property; give it a declaration of its own"
    case .markerOutsideModel(let marker):
      "\(marker) has no effect here, because the enclosing type is not marked with @Model"
    }
  }

  var severity: DiagnosticSeverity { .error }

  var diagnosticID: MessageID { MessageID(domain: "Croft", id: name) }

  /// The case's name without its values.
  private var name: String {
    let description = String(describing: self)
    return String(description.prefix { $0 != "(" })
  }
}
