/// The texts that people read for the codes that programs use, by language.
///
/// A catalogue starts empty: each domain brings the texts of its own codes, for a
/// code as such or for a code at one field. Texts are looked up when they are
/// shown, so issues can be made, compared and stored without a language.
///
/// ```swift
/// var catalog = MessageCatalog(language: .korean)
/// catalog.add([.korean: "이름을 입력해주세요!", .english: "Please enter a name."],
///   for: .blank, at: "name")
/// catalog.message(for: ValidationIssue(.blank, at: "name"))
/// ```
///
/// `{limit}` in a text is replaced by the value of the issue's parameter `limit`, and
/// `{field}` by the label of the issue's field.
public struct MessageCatalog: Hashable, Sendable {
  private struct Key: Hashable, Sendable {
    /// The code; nil for the label of a field.
    var code: ValidationIssue.Code?
    var path: FieldPath?
    var language: Language
  }

  /// The language of the messages.
  public var language: Language
  private var texts: [Key: String] = [:]

  /// Makes an empty catalogue with messages in the given language.
  public init(language: Language) {
    self.language = language
  }

  /// Adds the texts for a code, replacing those it had.
  ///
  /// - Parameters:
  ///   - texts: One text a language; `{name}` is replaced by the parameter of that name.
  ///   - code: The code that the texts explain.
  ///   - path: The field that the texts are for; nil for every field without texts of its own. For
  ///     elements of a list, the path without positions.
  public mutating func add(
    _ texts: [Language: String], for code: ValidationIssue.Code, at path: FieldPath? = nil
  ) {
    for (language, text) in texts {
      self.texts[Key(code: code, path: path, language: language)] = text
    }
  }

  /// Sets the label of a field.
  ///
  /// - Parameters:
  ///   - labels: One name a language.
  ///   - path: The field; for elements of a list, the path without positions.
  public mutating func addLabel(_ labels: [Language: String], at path: FieldPath) {
    for (language, label) in labels {
      texts[Key(code: nil, path: path, language: language)] = label
    }
  }

  /// The label of a field: in the language, else in English, else its path.
  public func label(at path: FieldPath) -> String {
    text(for: nil, at: [path.withoutIndexes]) ?? path.description
  }

  /// The message of an error.
  public func message(for error: PresentableError) -> String {
    message(error.code, at: error.path, params: error.params)
  }

  /// The message of an issue.
  public func message(for issue: ValidationIssue) -> String {
    message(issue.code, at: issue.path, params: issue.params)
  }

  /// The message of a code, for messages that are not about an input.
  ///
  /// The language's own text comes first, English is next; within a language the
  /// text for the field precedes the one for the code. A code without any text is
  /// shown itself, with its field and parameters, so that every issue has some message.
  public func message(
    _ code: ValidationIssue.Code, at path: FieldPath = [],
    params: [String: ValidationIssue.Value] = [:]
  ) -> String {
    guard let text = text(for: code, at: [path.withoutIndexes, nil]) else {
      return Self.bareMessage(code, at: path, params: params)
    }
    // A parameter of that name says more than the label does.
    let label = ValidationIssue.Value.text(label(at: path))
    return Self.fill(text, with: ["field": label].merging(params) { $1 })
  }

  /// The first text at one of some paths, in the language or else in English.
  private func text(for code: ValidationIssue.Code?, at paths: [FieldPath?]) -> String? {
    for language in [language, .english] {
      for path in paths {
        if let text = texts[Key(code: code, path: path, language: language)] { return text }
      }
    }
    return nil
  }

  private static func bareMessage(
    _ code: ValidationIssue.Code, at path: FieldPath, params: [String: ValidationIssue.Value]
  ) -> String {
    let place = path.components.isEmpty ? "" : "\(path): "
    let list = params.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return place + code.rawValue + (list.isEmpty ? "" : " (\(list.joined(separator: ", ")))")
  }

  /// Puts the parameters in; a name that has none stays, braces and all, to be seen.
  private static func fill(_ text: String, with params: [String: ValidationIssue.Value]) -> String {
    var filled = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      filled += rest[..<open]
      let name = String(rest[rest.index(after: open)..<close])
      filled += params[name]?.description ?? "{\(name)}"
      rest = rest[rest.index(after: close)...]
    }
    return filled + rest
  }
}
