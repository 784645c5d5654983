import CEditLine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Lines edited on a terminal: arrow keys, ^R, Tab, Korean input.
///
/// Threads: one; libedit keeps the terminal's state in the process.
final class EditLineSource: LineSource {
  private let session: OpaquePointer
  private let history: HistoryFile?

  /// Starts the editor; nil without a terminal to edit on.
  ///
  /// - Parameter history: The lines of earlier sessions, to which new ones are appended.
  init?(history: HistoryFile?) {
    guard let session = editLineOpen("todo", completeLine) else { return nil }
    self.session = session
    self.history = history
    for line in history?.load() ?? [] { editLineRemember(session, line) }
  }

  deinit {
    editLineClose(session)
  }

  func next(prompt: String) -> LineEvent {
    var text: UnsafeMutablePointer<CChar>?
    switch editLineRead(session, prompt, &text) {
    case EditLineEntered:
      defer { free(text) }
      guard let text else { return .end }
      guard let line = String(validatingCString: text) else { return .undecodable }
      remember(line)
      return .line(line)
    case EditLineInterrupted: return .interrupted(hadText: true)
    case EditLineInterruptedEmpty: return .interrupted(hadText: false)
    default: return .end
    }
  }

  private func remember(_ line: String) {
    guard HistoryFile.keeps(line) else { return }
    editLineRemember(session, line)
    history?.append(line)
  }
}

/// Called by the editor when Tab is pressed; it frees both texts.
private func completeLine(_ textBeforeCursor: UnsafePointer<CChar>?) -> EditLineCompletion {
  let text = textBeforeCursor.map { String(cString: $0) } ?? ""
  let completion = Completion(of: text)
  return EditLineCompletion(
    insertion: completion.insertion.isEmpty ? nil : strdup(completion.insertion),
    choices: completion.choices.isEmpty
      ? nil : strdup(completion.choices.joined(separator: "  ")))
}
