import CroftFoundation
import Presentation
import TodoKit

/// Why a command failed, and the exit code that follows from it.
///
/// The text is made when the error is shown, in the language of the command.
struct CommandError: Error {
  /// What is wrong.
  enum Cause {
    /// An error that the prompt found by itself.
    case message(LocalizedText)
    /// A view model refused the input.
    case issue(ValidationIssue)
    /// The repository threw.
    case storage(any Error)
  }

  let cause: Cause
  let status: ProgramStatus
  /// What to do about it, where the cause does not say so itself.
  private(set) var hint: LocalizedText?

  init(_ message: LocalizedText, _ status: ProgramStatus = .failed) {
    cause = .message(message)
    self.status = status
  }

  init(_ english: String, _ korean: String, _ status: ProgramStatus = .failed) {
    self.init(LocalizedText(english, korean), status)
  }

  init(_ issue: ValidationIssue, _ status: ProgramStatus = .failed) {
    cause = .issue(issue)
    self.status = status
  }

  /// The error for what a command has thrown; a change that was cancelled has not failed.
  init(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let issue as ValidationIssue: (cause, status) = (.issue(issue), .failed)
    case TodoError.folder(let path, let cause):
      let reason = FileReason.text(of: cause)
      self = CommandError(
        "The folder cannot be made: \(path.visible) (\(reason.english))",
        "폴더를 만들 수 없습니다: \(path.visible) (\(reason.korean))")
    case is CancellationError: (cause, status) = (.message(.cancelled), .interrupted)
    default: (cause, status) = (.storage(error), .failed)
    }
  }

  /// The same error with a hint on a line below it.
  func hinting(_ hint: LocalizedText) -> CommandError {
    var error = self
    error.hint = hint
    return error
  }

  func hinting(_ english: String, _ korean: String) -> CommandError {
    hinting(LocalizedText(english, korean))
  }

  /// The same error with names in place of the ids that the repository reports.
  func naming(_ names: [UUID: String]) -> CommandError {
    guard case .storage(let error as TodoError) = cause else { return self }
    switch error {
    case .notFound(let id), .groupNotFound(let id), .changedSince(let id):
      guard let name = names[id] else { return self }
      return CommandError(NamedError(code: error.code, params: ["id": .text(name.visible)]))
    default: return self
    }
  }

  /// The same error with the titles of items in place of their ids.
  func naming(_ items: [TodoItem]) -> CommandError {
    naming(Dictionary(items.map { ($0.id, $0.title) }) { first, _ in first })
  }

  /// Whether a priority is missing, which the prompt asks for.
  var lacksPriority: Bool {
    if case .issue(let issue) = cause {
      issue.code == .required && issue.path == .priority
    } else {
      false
    }
  }

  var message: LocalizedText { LocalizedText(text(in: .english), text(in: .korean)) }

  /// The text for the user; a validation issue or a storage error is one line.
  func text(in language: TextLanguage) -> String {
    let text = causeText(in: language)
    return hint.map { text + "\n" + $0.text(in: language) } ?? text
  }

  private func causeText(in language: TextLanguage) -> String {
    let catalog = MessageCatalog.todo(in: language.language)
    switch cause {
    case .message(let message): return message.text(in: language)
    case .issue(let issue): return catalog.message(for: issue).visible
    case .storage(let error):
      let lines = catalog.message(for: error).split(whereSeparator: \.isNewline)
      return lines.joined(separator: " ").visible
    }
  }
}

/// An error of the repository with a name in place of an id.
private struct NamedError: CodedError {
  let code: ValidationIssue.Code
  let params: [String: ValidationIssue.Value]
}
