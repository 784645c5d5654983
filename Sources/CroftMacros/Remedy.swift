import SwiftDiagnostics

/// What a fix-it does, in the words that an editor shows on its button.
enum Remedy: Equatable, FixItMessage {
  case replace(String, with: String)
  case remove(String)
  case removeObservers
  case annotate
  case mark(String, Marker)
  case addPrimaryKey
  case addDefault

  var message: String {
    switch self {
    case .replace(let old, let new): "change '\(old)' to '\(new)'"
    case .remove(let text): "remove '\(text)'"
    case .removeObservers: "remove the observers"
    case .annotate: "add a type annotation"
    case .mark(let name, let marker): "mark '\(name)' with \(marker)"
    case .addDefault: "add a default"
    case .addPrimaryKey: "add a primary key called 'id'"
    }
  }

  var fixItID: MessageID {
    let description = String(describing: self)
    return MessageID(domain: "Croft", id: "remedy." + description.prefix { $0 != "(" })
  }
}
