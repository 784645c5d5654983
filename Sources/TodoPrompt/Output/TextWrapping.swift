import TerminalText

extension String {
  /// The text in lines of at most so many columns, broken between words.
  ///
  /// A line that is broken continues with the blanks it begins with, and so many more. A word that is
  /// wider than a line is broken between characters.
  ///
  /// - Parameters:
  ///   - columns: The width, at least 1; a character that is wider has a line of its own.
  ///   - hanging: The further blanks before what is left of a broken line.
  func wrapped(to columns: Int, hanging: Int = 0) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { Self.lines(of: $0, columns: columns, hanging: hanging).joined(separator: "\n") }
      .joined(separator: "\n")
  }

  private static func lines(of line: Substring, columns: Int, hanging: Int) -> [String] {
    if String(line).displayWidth <= columns { return [String(line)] }
    let indent = line.prefix { $0 == " " }.count
    let indentMax = Swift.max(0, columns - 2) / 2
    let begin = String(repeating: " ", count: Swift.min(indent, indentMax))
    let go = String(repeating: " ", count: Swift.min(indent + hanging, indentMax))
    var lines: [String] = []
    var current = begin
    var isEmpty = true
    func finish() {
      lines.append(current)
      (current, isEmpty) = (go, true)
    }
    for word in line.dropFirst(indent).split(separator: " ") {
      let width = String(word).displayWidth
      if !isEmpty, current.displayWidth + 1 + width > columns { finish() }
      if !isEmpty { current += " " }
      if current.displayWidth + width <= columns {
        current += String(word)
        isEmpty = false
        continue
      }
      for character in word {
        let isFull = current.displayWidth + String(character).displayWidth > columns
        if isFull, !isEmpty { finish() }
        current.append(character)
        isEmpty = false
      }
    }
    if !isEmpty { lines.append(current) }
    return lines
  }

  /// The first words that fit into so many columns, with `...` after them where some do not.
  ///
  /// Words stay whole: nothing is left where not even the first one fits.
  func wholeWords(to columns: Int) -> String {
    if displayWidth <= columns { return self }
    var text = ""
    for word in split(separator: " ") {
      let longer = text.isEmpty ? String(word) : text + " " + word
      if longer.displayWidth + 4 > columns { break }
      text = longer
    }
    return text.isEmpty ? "" : text + " ..."
  }
}
