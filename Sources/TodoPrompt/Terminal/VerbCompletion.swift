/// What Tab does to a line: it completes the verb that the line begins with.
struct VerbCompletion: Equatable {
  /// What goes in at the cursor; empty when nothing is certain.
  let insertion: String
  /// The verbs to choose from when nothing is certain, harmless ones first.
  let choices: [String]

  /// - Parameter text: The line up to the cursor.
  init(of text: String) {
    let word = String(text.drop { $0 == " " })
    let verbs =
      word.contains(" ") ? [] : Verb.allCases.map(\.rawValue).filter { $0.hasPrefix(word) }
    guard let first = verbs.first else {
      (insertion, choices) = ("", [])
      return
    }
    let common = verbs.dropFirst().reduce(first) { common, verb in
      String(zip(common, verb).prefix { $0 == $1 }.map(\.0))
    }
    let isCertain = verbs.count == 1
    insertion = String(common.dropFirst(word.count)) + (isCertain ? " " : "")
    choices = isCertain || !insertion.isEmpty ? [] : verbs
  }
}
