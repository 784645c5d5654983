import Presentation
import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a command did not do what it was asked for.
///
/// What it says is put into words when it is shown, so nothing below the prompt's
/// surface knows a language.
struct CommandError: Error {
  /// What is wrong.
  enum Cause {
    /// Something the prompt itself found.
    case phrase(LocalizedText)
    /// The view model refused the input.
    case issue(ValidationIssue)
    /// The store could not do it.
    case storage(any Error)
  }

  let cause: Cause
  let status: ProgramStatus
  /// What to do about it, where the cause does not say it itself.
  private(set) var hint: LocalizedText?

  init(_ phrase: LocalizedText, _ status: ProgramStatus = .failed) {
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

  /// The same problem with what to do about it below.
  func hinting(_ hint: LocalizedText) -> CommandError {
    var problem = self
    problem.hint = hint
    return problem
  }

  /// The same problem with a name in place of the id that the repository knows.
  ///
  /// - Parameter names: The names of what the command was about.
  func naming(_ names: [UUID: String]) -> CommandError {
    guard case .storage(let error as TodoError) = cause else { return self }
    switch error {
    case .notFound(let id), .groupNotFound(let id), .changedSince(let id):
      guard let name = names[id] else { return self }
      return CommandError(
        storage: NamedError(code: error.code, params: ["id": .text(name.visible)]))
    default: return self
    }
  }
}

/// An error of the repository that is told with a name where it has an id.
private struct NamedError: CodedError {
  let code: ValidationIssue.Code
  let params: [String: ValidationIssue.Value]
}

extension CommandError {
  /// What to tell the person; what others found always in one line.
  func text(in language: MessageLanguage) -> String {
    let text = causeText(in: language)
    return hint.map { text + "\n" + $0.text(in: language) } ?? text
  }

  private func causeText(in language: MessageLanguage) -> String {
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
