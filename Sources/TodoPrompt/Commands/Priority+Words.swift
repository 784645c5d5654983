import Presentation
import TodoKit

extension Priority {
  /// Reads a priority with an exclamation mark before it, such as `!h` or `!높음`.
  ///
  /// `!none` is no sigil: choosing nothing needs no sign.
  init?(sigil: String) {
    guard sigil.first == "!", let priority = Priority(word: String(sigil.dropFirst())),
      priority != .none
    else { return nil }
    self = priority
  }

  /// Reads the value of `--pri`; the domain knows the words, and what to say to others.
  static func option(_ word: String) throws(CommandError) -> Priority {
    switch Validator.priorityWord.validate(word) {
    case .valid(let priority, _): return priority
    case .invalid(let issues): throw CommandError(issues[0], .usage)
    }
  }
}
