/// The fields of a form as texts, which the form has twice: when it was opened, and now.
protocol PageFields: Sendable {
  /// The names and values of the fields that may have changed meanwhile.
  var named: [(name: String, value: String)] { get }
}

/// What one page with a form says: the form of something new, or of something that exists.
struct FormPage<Fields: PageFields, Subject: Sendable>: Sendable {
  /// Where it is sent to.
  let action: String
  let heading: String
  let back: String
  var fields: Fields
  /// What is changed; nil for something new.
  var subject: Subject?
  /// The fields when the form was opened; nil for something new.
  var was: Fields?
  var error: String?
  /// What somebody else has changed too, as texts.
  var conflicts: [String] = []

  /// The form of something new.
  init(_ action: String, _ heading: String, back: String?, _ fields: Fields) {
    (self.action, self.heading, self.fields) = (action, heading, fields)
    self.back = Visit.back(back)
  }

  /// The form of something that exists.
  init(_ action: String, _ heading: String, back: String?, of subject: Subject, _ fields: Fields) {
    self.init(action, heading, back: back, fields)
    (self.subject, was) = (subject, fields)
  }

  /// What the templates of all forms name.
  func values(_ text: PageText) -> [String: Any] {
    var values: [String: Any] = [
      "pageTitle": heading, "heading": heading, "action": action, "back": back,
      "conflicts": conflicts, "save": text.save, "cancel": text.cancel,
    ]
    if let was { values["was"] = was.named.map { ["name": $0.name, "value": $0.value] } }
    if let error { values["error"] = error }
    return values
  }
}
