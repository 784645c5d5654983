import Foundation

/// The fields of a form, as a browser sends them: `application/x-www-form-urlencoded`.
struct FormFields: Equatable, Sendable {
  private var values: [String: String] = [:]

  /// Reads a body; of a name that comes several times the last value counts.
  init(body: String) {
    for pair in body.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(parts[0]) else { continue }
      values[name] = parts.count > 1 ? Self.decoded(parts[1]) : ""
    }
  }

  /// The value of a field, with the line ends of this system; nil without one.
  subscript(name: String) -> String? { values[name]?.replacing("\r\n", with: "\n") }

  /// The id in a field; nil without one.
  func id(_ name: String) -> UUID? { values[name].flatMap(UUID.init(uuidString:)) }

  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").removingPercentEncoding
  }
}
