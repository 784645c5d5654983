public import Presentation

extension FieldPath {
  /// Where an item's title stands.
  public static let title: FieldPath = "title"
  /// Where an item's priority stands.
  public static let priority: FieldPath = "priority"
  /// Where an item's tags stand.
  public static let tags: FieldPath = "tags"
}

extension Validator where Input == String, Output == String {
  /// A title has something to read; it comes out without white space around it.
  ///
  /// White space is what Unicode calls so, the ideographic space (U+3000) of East
  /// Asian keyboards included. Nothing but white space and characters that
  /// are never drawn, such as the zero-width space, is `blank`.
  public static var title: Validator {
    Validator(.blank) { $0.isBlank ? nil : $0.trimmed }
  }
}

extension Validator where Input == Priority?, Output == Priority {
  /// A priority has been chosen: neither nil nor ``Priority/none``; else it is `required`.
  public static var priority: Validator {
    Validator(.required) { $0 == Priority.none ? nil : $0 }
  }
}

extension Validator where Input == [String], Output == [String] {
  /// Each tag has something to read; they come out trimmed, each once, at its first place.
  ///
  /// A tag in another normal form is the same tag. One of nothing but white space is `blank`.
  public static var tags: Validator {
    Validator<String, String>.title.each().map { $0.unique }
  }
}

extension Validator where Input == TaskDraft, Output == TodoItem {
  /// A new task has a title and a priority; the issues come in the order of its fields.
  public static var draft: Validator {
    Validator<TaskDraft, (String, Priority, [String], TaskDraft)>.all(
      Validator<String, String>.title.pullback(\.title, at: .title),
      Validator<Priority?, Priority>.priority.pullback(\.priority, at: .priority),
      Validator<[String], [String]>.tags.pullback(\.tags, at: .tags),
      Validator<TaskDraft, TaskDraft>.transform { draft in draft }
    ).map { title, priority, tags, draft in
      var item = TodoItem(title: title, priority: priority, due: draft.due, tags: tags)
      item.groupID = draft.groupID
      return item
    }
  }
}

extension String {
  /// Whether there is nothing to read: only white space, and what draws nothing by itself.
  ///
  /// Characters that join others, as in pictures of families, do not stand alone.
  ///
  /// - Complexity: O(n) in the length of the text.
  package var isBlank: Bool {
    unicodeScalars.allSatisfy { scalar in
      let properties = scalar.properties
      return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
        || properties.generalCategory == .format
    }
  }

  /// The text without white space at both ends.
  ///
  /// - Complexity: O(n) in the length of the text.
  package var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
