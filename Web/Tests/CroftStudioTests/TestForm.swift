import Foundation
import PageServerTesting

/// A form of a page, with the values that a browser would send.
struct TestForm {
  let action: String
  private(set) var fields: [(String, String)] = []
  /// What can be chosen, by the names of fields.
  private(set) var options: [String: [String]] = [:]

  /// The first form of a page that changes something there; nil for none.
  init?(_ page: String) {
    let pattern = #/<form method="post" action="([^"]*)"(?: class="edit")?>(.*?)<\/form>/#
      .dotMatchesNewlines()
    guard let form = page.firstMatch(of: pattern) else { return nil }
    action = Self.plain(form.output.1)
    let control =
      #/<input type="hidden" name="([^"]*)" value="([^"]*)">|<input id="[^"]*" name="([^"]*)" value="([^"]*)"|<textarea id="[^"]*" name="([^"]*)"[^>]*>\n(.*?)<\/textarea>|<select id="[^"]*" name="([^"]*)"[^>]*>(.*?)<\/select>|<input type="checkbox" name="([^"]*)" checked>/#
      .dotMatchesNewlines()
    for match in form.output.2.matches(of: control) {
      let parts = match.output
      if let name = parts.1, let value = parts.2 { add(name, Self.plain(value)) }
      if let name = parts.3, let value = parts.4 { add(name, Self.plain(value)) }
      // As browsers send line ends.
      if let name = parts.5, let text = parts.6 {
        add(name, Self.plain(text).replacing("\r\n", with: "\n").replacing("\n", with: "\r\n"))
      }
      if let name = parts.7, let list = parts.8 {
        let choices = list.matches(of: #/<option value="([^"]*)"( selected)?>/#)
        options[Self.plain(name)] = choices.map { Self.plain($0.output.1) }
        let chosen = choices.first { $0.output.2 != nil } ?? choices.first
        add(name, chosen.map { Self.plain($0.output.1) } ?? "")
      }
      if let name = parts.9 { add(name, "on") }
    }
  }

  private mutating func add(_ name: Substring, _ value: String) {
    fields.append((Self.plain(name), value))
  }

  private static func plain(_ text: Substring) -> String {
    var text = String(text)
    for (code, sign) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
    ] { text = text.replacing(code, with: sign) }
    return text
  }

  /// The value of a field; nil for one that is not sent.
  subscript(name: String) -> String? {
    get { fields.first { $0.0 == name }?.1 }
    set {
      fields.removeAll { $0.0 == name }
      if let newValue { fields.append((name, newValue)) }
    }
  }
}

extension TestAnswer {
  /// The form of the page that changes something; nil without one.
  var form: TestForm? { TestForm(text) }
}
