import Presentation
import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Items for programs: one object an item, keys always in the same order.
enum ItemJSON {
  /// One item on one line, without a newline.
  ///
  /// - Parameter number: Its position in the last list; nil becomes null.
  static func object(of item: TodoItem, number: Int?) -> String {
    let fields: [(String, String)] = [
      ("id", quoted(item.id.uuidString.lowercased())),
      ("number", number.map(String.init) ?? "null"),
      ("title", quoted(item.title)),
      ("isDone", item.isDone ? "true" : "false"),
      ("isImportant", item.isImportant ? "true" : "false"),
      ("priority", quoted(item.priority.word(in: .english))),
      ("group", "null"),
      ("createdAt", quoted(item.createdAt.formatted(.iso8601))),
    ]
    return "{" + fields.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
  }

  /// A list of items, an object a line; `[]` when there is none.
  static func array(of objects: [String]) -> String {
    objects.isEmpty ? "[]\n" : "[\n" + objects.joined(separator: ",\n") + "\n]\n"
  }

  /// A text as a JSON string (RFC 8259), which no terminal can be driven by.
  static func quoted(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      case _ where scalar.drivesTerminal:
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }
}
