import Foundation
import TerminalText

/// A group as an object of our JSON, with the keys of `todo -o json group`.
package enum GroupObject {
  /// The object of a group, on one line; `image` is there only with a picture.
  package static func text(of group: TaskGroup) -> String {
    var members: [(String, String)] = [
      ("id", group.id?.jsonQuoted ?? "null"), ("name", group.name.jsonQuoted),
      ("color", group.color?.jsonQuoted ?? "null"),
      ("total", group.total.map { String($0) } ?? "null"),
      ("done", group.done.map { String($0) } ?? "null"),
      ("createdAt", group.createdAt?.dashedUTC.jsonQuoted ?? "null"),
    ]
    if let image = group.image {
      let base64 = image.bytes.base64EncodedString().jsonQuoted
      let object = [("type", image.mimeType.jsonQuoted), ("base64", base64)]
      members.append(("image", String(jsonObject: object)))
    }
    return String(jsonObject: members)
  }

  /// Whether an object is a group: it has a name, and no title.
  static func isGroup(_ members: [JSONScanner.Member]) -> Bool {
    let keys = Set(members.map(\.key))
    return keys.contains("name") && !keys.contains("title")
  }

  /// Reads a group; unknown keys are reported.
  static func group(
    of members: [JSONScanner.Member], line: Int, report: Report
  ) throws -> TaskGroup {
    var group = TaskGroup(name: "")
    for member in members where !JSONScanner.isNull(member.value) {
      let field = member.field(line: line)
      switch member.key {
      case "id": group.id = try field.string()
      case "name": group.name = try field.string()
      case "color": group.color = try field.string()
      case "total": group.total = Int(try field.number())
      case "done": group.done = Int(try field.number())
      case "createdAt": group.createdAt = try field.moment()
      case "image": group.image = try field.image()
      default: report(nil, .unknownKey(member.key))
      }
    }
    if group.name.trimmedBlanks.isEmpty {
      throw IssueText("The object has no title and no name.", "객체에 제목(title)도 이름(name)도 없습니다.")
    }
    return group
  }
}
