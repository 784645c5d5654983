/// Texts that the user changes in a line of the terminal.
extension Session {
  /// Shows a text in a line where it can be edited, and waits for Enter.
  ///
  /// The line has neither history nor completion. A terminal that cannot edit asks for a new text.
  ///
  /// - Returns: The text as it was entered; nil after ^C or ^D, or where nobody can be asked.
  func edited(_ text: String, prompt: String) -> String? {
    guard environment.answers != nil else { return nil }
    environment.output.flush()
    let lines = environment.startEditor(nil)
    guard case .line(let entered) = lines.next(prompt: prompt, initialText: text) else {
      return nil
    }
    return entered
  }
}
