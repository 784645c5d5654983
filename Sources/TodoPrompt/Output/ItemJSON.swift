import Presentation
import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Items and groups as JSON objects, with their keys always in the same order.
enum ItemJSON {
  /// One item on one line, without a newline.
  ///
  /// - Parameters:
  ///   - number: Its position in the last list; nil becomes null.
  ///   - group: The name of its group; nil becomes null.
  static func object(of item: TodoItem, number: Int?, group: String?) -> String {
    object([
      ("id", quoted(item.id.uuidString.lowercased())),
      ("number", number.map(String.init) ?? "null"),
      ("title", quoted(item.title)),
      ("isDone", item.isDone ? "true" : "false"),
      ("isImportant", item.isImportant ? "true" : "false"),
      ("priority", quoted(item.priority.word(in: .english))),
      ("group", group.map(quoted) ?? "null"),
      ("due", item.due.map { quoted($0.description) } ?? "null"),
      ("tags", "[" + item.tags.map(quoted).joined(separator: ",") + "]"),
      ("note", quoted(item.note)),
      ("createdAt", quoted(item.createdAt.formatted(.iso8601))),
      ("doneAt", item.doneAt.map { quoted($0.formatted(.iso8601)) } ?? "null"),
    ])
  }

  /// One group on one line, without a newline.
  static func object(of group: TodoGroup, tally: Tally) -> String {
    object([
      ("id", quoted(group.id.uuidString.lowercased())),
      ("name", quoted(group.name)),
      ("color", quoted(group.color.description)),
      ("total", String(tally.total)),
      ("done", String(tally.done)),
      ("createdAt", quoted(group.createdAt.formatted(.iso8601))),
    ])
  }

  /// An object of keys and values; the values are JSON.
  static func object(_ fields: [(String, String)]) -> String {
    "{" + fields.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
  }

  /// A list with an object on each line; `[]` for an empty list.
  static func array(of objects: [String]) -> String {
    objects.isEmpty ? "[]\n" : "[\n" + objects.joined(separator: ",\n") + "\n]\n"
  }

  /// A text as a JSON string (RFC 8259), with all code points escaped that a terminal acts on.
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
