import Foundation
import PageServerTesting

extension TestConnection {
  /// The next event of a page; nil where the connection ends.
  func event() -> (name: String, id: String?, data: String)? {
    while let text = read(upTo: "\n\n") {
      var fields: [String: String] = [:]
      for line in text.split(whereSeparator: \.isNewline) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        // Lines of the encoding in chunks have no colon, and comments no name.
        if parts.count == 2, !parts[0].isEmpty {
          fields[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
        }
      }
      if let data = fields["data"] { return (fields["event"] ?? "message", fields["id"], data) }
    }
    return nil
  }
}
