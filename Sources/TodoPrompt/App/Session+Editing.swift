import LineEditing

/// Texts that the user changes in a line of the terminal.
extension Session {
  /// Shows a text in a line where it can be edited, and waits for Enter.
  ///
  /// The line has no completion, and its history are the texts that were edited before. A terminal that cannot edit asks for a new text.
  /// Lines after the first one, as a paste has, are the next commands of the prompt; without a prompt
  /// they are reported.
  ///
  /// - Returns: The text as it was entered; nil after ^C or ^D, or where nobody can be asked.
  func edited(_ text: String, prompt: String) -> String? {
    guard environment.answers != nil else { return nil }
    environment.output.flush()
    let source = lines ?? environment.startEditor(nil)
    let event = source.edit(text, prompt: prompt)
    if lines == nil {
      let count = source.discardPending()
      if count > 0 {
        hint(
          count == 1 ? "One more line was not read." : "\(count) more lines were not read.",
          "뒤에 온 \(count)줄은 읽지 않았습니다.")
      }
    }
    guard case .line(let entered) = event else { return nil }
    return entered
  }
}
