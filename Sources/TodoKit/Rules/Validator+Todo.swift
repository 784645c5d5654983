public import Presentation

extension FieldPath {
  /// Where an item's title stands.
  public static let title: FieldPath = "title"
  /// Where an item's priority stands.
  public static let priority: FieldPath = "priority"
}

extension Validator where Input == String, Output == String {
  /// A title has something to read; it comes out without white space around it.
  ///
  /// White space is what Unicode calls so, the ideographic space (U+3000) of East
  /// Asian keyboards included. Nothing but white space is `blank`.
  public static var title: Validator {
    Validator(.blank) { typed in
      let title = typed.trimmed
      return title.isEmpty ? nil : title
    }
  }
}

extension Validator where Input == Priority?, Output == Priority {
  /// A priority has been chosen: neither nil nor ``Priority/none``; else it is `required`.
  public static var priority: Validator {
    Validator(.required) { $0 == Priority.none ? nil : $0 }
  }
}

extension Validator where Input == TaskDraft, Output == (title: String, priority: Priority) {
  /// A new task has a title and a priority; the title's issue comes first.
  public static var draft: Validator {
    Validator<TaskDraft, (String, Priority)>.all(
      Validator<String, String>.title.pullback(\.title, at: .title),
      Validator<Priority?, Priority>.priority.pullback(\.priority, at: .priority)
    ).map { (title: $0.0, priority: $0.1) }
  }
}

extension String {
  /// The text without white space at both ends.
  ///
  /// - Complexity: O(n) in the length of the text.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
