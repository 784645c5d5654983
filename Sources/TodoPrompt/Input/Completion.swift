/// The completion of a line for Tab: verbs, and the actions of a verb that has some.
struct Completion: Equatable {
  /// The text to insert at the cursor; empty if no candidate is certain.
  let insertion: String
  /// The candidates if none is certain, harmless ones first.
  let choices: [String]

  /// - Parameter text: The line up to the cursor.
  init(of text: String) {
    let line = String(text.drop { $0 == " " })
    let verb = String(line.prefix { $0 != " " })
    let isBehindVerb = verb.count < line.count
    let candidates =
      isBehindVerb
      ? Grammar.commandsByName[verb]?.actions ?? [] : Grammar.commands.map { $0.name }
    let word = isBehindVerb ? String(line.dropFirst(verb.count + 1)) : line
    let words = word.contains(" ") ? [] : candidates.filter { $0.hasPrefix(word) }
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
