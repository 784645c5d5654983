/// The words and turns of sentences that a text avoids, and what to write instead.
struct ProsePattern {
  /// A pattern that was found.
  struct Match: Equatable {
    let line: Int
    let text: String
    let instead: String
  }

  private let tokens: [Prose.Token]
  private let index: Int

  static func matches(in paragraph: [Prose.Token]) -> [Match] {
    paragraph.indices.filter { paragraph[$0].isWord }.compactMap { index in
      let here = ProsePattern(tokens: paragraph, index: index)
      guard let (count, instead) = here.found else { return nil }
      let text = paragraph[index...].prefix(count).map(\.text).joined(separator: " ")
      return Match(line: paragraph[index].line, text: text, instead: instead)
    }
  }

  /// How many words from here on are a pattern, and what to write instead.
  private var found: (count: Int, instead: String)? {
    word ?? unchanged ?? negatedNoun ?? continued ?? who ?? what
  }

  /// A word or mark beside this one; empty outside of the paragraph.
  private func text(_ offset: Int) -> String {
    tokens.indices.contains(index + offset) ? tokens[index + offset].text : ""
  }

  /// Whether this word is the first one, or follows a mark.
  private var isClauseStart: Bool { index == 0 || !tokens[index - 1].isWord }

  // MARK: Words

  private static let words: [String: String] = [
    "behind": "'after', 'below' or 'of'", "lend": "'borrow'", "lends": "'borrows'",
    "lent": "'borrowed'", "lending": "'borrowing'", "anew": "'again'", "cut": "'truncate'",
    "cuts": "'truncates'", "foreign": "'of another process' or 'undeclared'",
    "meets": "'reads', 'matches' or 'satisfies'", "whoever": "'the caller' or 'the program that'",
    "surroundings": "'environment'",
    "settle": "'finish'", "settles": "'finishes'", "settled": "'finished'",
    "settling": "'finishing'", "strike": "'remove'", "strikes": "'removes'",
    "struck": "'removed'", "lie": "'be'", "lies": "'is'", "stand": "'be'", "stands": "'is'",
    "stood": "'was'",
  ]

  /// A word by itself, but for the field's own uses: `foreign key`, `power cut`, `stands for`.
  private var word: (Int, String)? {
    // A parameter may have such a name: `- cut: The most bytes`.
    let isParameter = text(1) == ":" && (index == 0 || text(-1) == "parameter")
    guard let instead = Self.words[text(0)], !isParameter else { return nil }
    let isUsual =
      switch text(0) {
      case "foreign": text(1).hasPrefix("key")
      case "stand", "stands", "stood": text(1) == "for"
      case "cut", "cuts": text(-1) == "power"
      default: false
      }
    return isUsual ? nil : (1, instead)
  }

  // MARK: Sentences

  private static let being: Set<String> = ["is", "are", "was", "were"]

  /// `as it was`, unless a verb follows: `as it was typed`.
  private var unchanged: (Int, String)? {
    guard text(0) == "as", ["it", "they"].contains(text(1)), ["was", "were"].contains(text(2))
    else { return nil }
    let isVerb = [text(3), text(4)].contains { word in
      ["ed", "en", "wn", "ade", "ught"].contains { word.hasSuffix($0) }
    }
    return isVerb ? nil : (3, "'unchanged'")
  }

  /// `that is no file`, `which are none`; but `this is no longer true`.
  private var negatedNoun: (Int, String)? {
    guard ["that", "which", "who", "it", "this"].contains(text(0)), Self.being.contains(text(1)),
      ["no", "none"].contains(text(2))
    else { return nil }
    let isUsual = [
      "longer", "more", "less", "fewer", "later", "earlier", "need", "way",
    ].contains(text(3))
    return isUsual ? nil : (3, "'is not a ...' or 'has no ...'")
  }

  private var continued: (Int, String)? {
    guard ["go", "goes", "going", "went"].contains(text(0)), text(1) == "on", text(2) != "to"
    else { return nil }
    return (2, "'continue'")
  }

  /// `Who is slow gets one`, `for who writes`; but `Who may write?`.
  private var who: (Int, String)? {
    if ["to", "for", "from", "of", "by", "than"].contains(text(0)), text(1) == "who" {
      return (2, "'the caller' or 'code that'")
    }
    guard text(0) == "who", isClauseStart, let count = predicate(from: 2) else { return nil }
    return (count, "'a program that ...' or 'subscribers that ...'")
  }

  private static let starters: Set<String> = [
    "and", "that", "because", "so", "but", "where", "while", "if", "when", "until", "for",
  ]

  private static let verbs: Set<String> = being.union([
    "has", "had", "comes", "came", "goes", "went", "happens", "stays", "waits", "reads", "holds",
    "belongs",
  ])

  private static let predicates: Set<String> = being.union([
    "has", "have", "must", "may", "can", "cannot", "stays", "stay", "remains", "remain", "goes",
    "comes", "needs", "gets", "does", "counts", "takes", "makes", "waits",
  ])

  /// `What is read is kept`: a clause that begins with "what" and a verb, and then its predicate.
  private var what: (Int, String)? {
    guard text(0) == "what", isClauseStart || Self.starters.contains(text(-1)),
      Self.verbs.contains(text(1)) || text(1).hasSuffix("ed")
    else { return nil }
    return predicate(from: 3).map { ($0, "the noun: 'the rows that ... are ...'") }
  }

  /// How many words the clause has up to a predicate, which is looked for from an offset on.
  private func predicate(from offset: Int) -> Int? {
    let clause = tokens[index...].dropFirst(offset).prefix {
      $0.isWord && !["and", "or", "what"].contains($0.text)
    }
    return clause.firstIndex { Self.predicates.contains($0.text) }.map { $0 - index + 1 }
  }
}
