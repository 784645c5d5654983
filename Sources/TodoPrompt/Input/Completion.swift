/// What Tab does to a line: it completes the verb that the line begins with, and what
/// `group` does.
struct Completion: Equatable {
  /// What goes in at the cursor; empty when nothing is certain.
  let insertion: String
  /// The words to choose from when nothing is certain, harmless ones first.
  let choices: [String]

  /// - Parameter text: The line up to the cursor.
  init(of text: String) {
    let line = String(text.drop { $0 == " " })
    let group = Verb.group.rawValue + " "
    let isBehindGroup = line.hasPrefix(group)
    let all =
      isBehindGroup
      ? GroupCommand.Action.allCases.map(\.rawValue) : Verb.allCases.map(\.rawValue)
    let word = isBehindGroup ? String(line.dropFirst(group.count)) : line
    let words = word.contains(" ") ? [] : all.filter { $0.hasPrefix(word) }
    guard let first = words.first else {
      (insertion, choices) = ("", [])
      return
    }
    let common = words.dropFirst().reduce(first) { common, word in
      String(zip(common, word).prefix { $0 == $1 }.map(\.0))
    }
    let isCertain = words.count == 1
    insertion = String(common.dropFirst(word.count)) + (isCertain ? " " : "")
    choices = isCertain || !insertion.isEmpty ? [] : words
  }
}
