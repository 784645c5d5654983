import TerminalText

/// The text on the screen for a line that is edited: prompt, text, suggestion and candidates.
struct LineView {
  let prompt: String
  let columns: Int
  let rows: Int
  let usesColor: Bool
  /// The style of each character of a line; those after the last one have none.
  var styles: (String) -> [ANSIStyle?] = { _ in [] }

  /// The layout of a line.
  ///
  /// - Parameter isFinished: Whether the line is complete: then it has neither a suggestion nor
  ///   candidates, and the cursor is after it.
  func layout(of editor: LineEditor, isFinished: Bool = false) -> EditorLayout {
    var layout = EditorLayout(columns: columns)
    layout.add(shownPrompt(of: editor))
    let text = editor.text
    let styled = usesColor ? styles(text) : []
    if isFinished {
      layout.add(text, styles: styled)
      layout.placeCursor()
      return layout.clipped(to: rows)
    }
    let before = editor.buffer.before
    let count = before.count
    layout.add(before, styles: Array(styled.prefix(count)))
    layout.placeCursor()
    layout.add(editor.buffer.after, styles: Array(styled.dropFirst(count)))
    if usesColor {
      let suggestion = editor.suggestion
      layout.add(suggestion, styles: Array(repeating: .dim, count: suggestion.count))
    }
    for line in list(editor.candidates, below: layout.rows.count) {
      layout.startRow()
      layout.add(line)
    }
    return layout.clipped(to: rows)
  }

  private func shownPrompt(of editor: LineEditor) -> String {
    guard let search = editor.search else { return prompt }
    return "(\(search.isFailed ? "failed " : "")reverse-i-search)'\(search.query)': "
  }

  /// Candidates in rows, as many as there is room for.
  private func list(_ candidates: [String], below count: Int) -> [String] {
    let room = max(1, rows - count - 1)
    var lines: [String] = []
    var line = ""
    for candidate in candidates {
      let next =
        line.isEmpty ? candidate.escapingControls() : line + "  " + candidate.escapingControls()
      if next.displayWidth < columns || line.isEmpty {
        line = next.truncated(to: max(1, columns - 1))
      } else {
        lines.append(line)
        line = candidate.escapingControls().truncated(to: max(1, columns - 1))
      }
    }
    if !line.isEmpty { lines.append(line) }
    if lines.count > room { lines = Array(lines.prefix(max(0, room - 1))) + ["..."] }
    return lines.map { $0.truncated(to: max(1, columns - 1)) }
  }
}
