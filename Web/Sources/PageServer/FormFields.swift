package import Foundation

/// The fields of a form, as a browser sends them.
package struct FormFields: Equatable, Sendable {
  private var values: [String: String] = [:]
  /// The names in the order in which they came first.
  private var order: [String] = []
  /// The contents of the files in fields that have one.
  package private(set) var files: [String: Data] = [:]

  /// Reads a body; of a name that comes several times the last value counts.
  ///
  /// - Parameter contentType: `multipart/form-data` with its boundary; every other type is read as
  ///   `application/x-www-form-urlencoded`.
  package init(body: Data, contentType: String = "") {
    let mark = "boundary="
    if contentType.hasPrefix("multipart/form-data"), let start = contentType.range(of: mark) {
      let boundary = contentType[start.upperBound...].prefix { $0 != ";" }
      readParts(body, boundary: boundary.trimmingCharacters(in: ["\""]))
    } else {
      readPairs(String(decoding: body, as: UTF8.self))
    }
  }

  /// Reads a body of pairs; one that is not text in UTF-8 is passed over.
  package init(body: String) { readPairs(body) }

  /// The value of a field, with the line ends of this system; nil without one.
  package subscript(name: String) -> String? { values[name]?.replacing("\r\n", with: "\n") }

  /// The id in a field; nil without one.
  package func id(_ name: String) -> UUID? { values[name].flatMap(UUID.init(uuidString:)) }

  /// What follows a beginning in the names of fields without a file, in their order.
  package func names(after beginning: String) -> [String] {
    order.filter { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
  }

  private mutating func add(_ name: String, _ value: String) {
    if values[name] == nil { order.append(name) }
    values[name] = value
  }

  private mutating func readPairs(_ body: String) {
    for pair in body.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(parts[0]),
        let value = parts.count > 1 ? Self.decoded(parts[1]) : ""
      else { continue }
      add(name, value)
    }
  }

  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").removingPercentEncoding
  }

  /// Reads the parts of RFC 7578, each a head and a content between two boundaries.
  private mutating func readParts(_ body: Data, boundary: String) {
    let lineEnd = Data("\r\n".utf8)
    let delimiter = lineEnd + Data("--\(boundary)".utf8)
    // The first boundary is then preceded by a line end, as all others are.
    let body = lineEnd + body
    guard var start = body.range(of: delimiter)?.upperBound else { return }
    while let end = body.range(of: delimiter, in: start..<body.endIndex) {
      if let head = body.range(of: lineEnd + lineEnd, in: start..<end.lowerBound) {
        let fields = String(decoding: body[start..<head.lowerBound], as: UTF8.self)
        readPart(fields, Data(body[head.upperBound..<end.lowerBound]))
      }
      start = end.upperBound
    }
  }

  private mutating func readPart(_ head: String, _ content: Data) {
    guard let name = Self.parameter("name", of: head) else { return }
    if Self.parameter("filename", of: head) == nil {
      add(name, String(decoding: content, as: UTF8.self))
    } else if !content.isEmpty {
      files[name] = content
    }
  }

  /// The value of a parameter such as ` name="text"`; browsers escape quotes in it as `%22`.
  private static func parameter(_ name: String, of head: String) -> String? {
    guard let start = head.range(of: " \(name)=\"") else { return nil }
    return String(head[start.upperBound...].prefix { $0 != "\"" })
  }
}
