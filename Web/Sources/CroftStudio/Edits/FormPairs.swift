import Foundation

/// The fields of a form, as a browser sends them.
struct FormPairs {
  private var values: [String: String] = [:]
  private var order: [String] = []

  /// Reads a body; of a name that comes several times the last value counts.
  init(_ body: String) {
    for pair in body.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = parts.compactMap {
        String($0).replacing("+", with: " ").removingPercentEncoding
      }
      guard texts.count == parts.count, let name = texts.first else { continue }
      if values[name] == nil { order.append(name) }
      values[name] = texts.count > 1 ? texts[1].replacing("\r\n", with: "\n") : ""
    }
  }

  /// The value of a field, with the line ends of this system; nil without one.
  subscript(name: String) -> String? { values[name] }

  /// What follows a beginning in the names of fields, in their order.
  func names(after beginning: String) -> [String] {
    order.filter { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
  }
}
