import SwiftDiagnostics

/// A way of writing a model that its syntax already shows to be wrong.
///
/// An unstorable type is not among them: types are never interpreted, so that one is a conformance
/// error of the compiler, at the line of the expansion that names the property.
enum Misuse: Equatable, DiagnosticMessage {
  case notAStruct(keyword: String)
  case genericType(String)
  case localType(String)
  case noPrimaryKey(model: String)
  case secondPrimaryKey(model: String, first: String)
  case constantWithDefault(String)
  case lazyProperty(String)
  case observedProperty(String)
  case conditionalProperty
  case tuplePattern
  case initializerNeedsAnnotation(String, model: String)
  case primaryKeyNeedsAnnotation(String)
  case optionalPrimaryKey(String)
  case unorderedIndex(String, type: String)
  case markerOffProperty(Marker)
  case markerOnStatic(Marker, String)
  case markerOnComputed(Marker, String)
  case markerOnList(Marker)
  case markerOutsideModel(Marker)

  var message: String {
    switch self {
    case .notAStruct(let keyword):
      "@Model makes a struct a model, and this is declared with '\(keyword)'"
    case .genericType(let name):
      "'\(name)' cannot be a model, because it is generic or stands in a generic type"
    case .localType(let name):
      "'\(name)' cannot be a model inside a function; move it to file scope or into a type"
    case .noPrimaryKey(let model):
      "'\(model)' has no primary key; mark one of its properties with @PrimaryKey"
    case .secondPrimaryKey(let model, let first):
      "'\(model)' has its primary key already: '\(first)'"
    case .constantWithDefault(let name):
      "'\(name)' is a constant with a value, so what is stored could never be read into it"
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
    case .unorderedIndex(let name, let type):
      "'\(name)' cannot be indexed, because \(type) has no order"
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
