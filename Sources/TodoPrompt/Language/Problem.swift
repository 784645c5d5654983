import Presentation
import TodoKit

/// Why a command did not do what it was asked for.
///
/// What it says is put into words when it is shown, so nothing below the prompt's
/// surface knows a language.
struct Problem: Error {
  /// What is wrong.
  enum Cause {
    /// Something the prompt itself found.
    case phrase(Phrase)
    /// The view model refused the input.
    case issue(ValidationIssue)
    /// The store could not do it.
    case storage(any Error)
  }

  let cause: Cause
  let status: ProgramStatus

  init(_ phrase: Phrase, _ status: ProgramStatus = .failed) {
    cause = .phrase(phrase)
    self.status = status
  }

  init(_ issue: ValidationIssue, _ status: ProgramStatus = .failed) {
    cause = .issue(issue)
    self.status = status
  }

  init(storage error: any Error) {
    cause = .storage(error)
    status = .failed
  }
}

extension Problem {
  /// What to tell the person; what others found always in one line.
  func text(in language: MessageLanguage) -> String {
    let catalog = MessageCatalog.todo(in: language.language)
    switch cause {
    case .phrase(let phrase): return phrase.text(in: language)
    case .issue(let issue): return catalog.message(for: issue).visible
    case .storage(let error):
      return catalog.message(for: error).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }

  /// Whether a priority was missing, which is worth a question.
  var lacksPriority: Bool {
    if case .issue(let issue) = cause {
      issue.code == .required && issue.path == .priority
    } else {
      false
    }
  }
}

/// What the process tells its parent.
enum ProgramStatus: Int32 {
  /// Everything was done.
  case done = 0
  /// A command failed.
  case failed = 1
  /// The words made no command.
  case usage = 64
  /// ^C ended it.
  case interrupted = 130
}
