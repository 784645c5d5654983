/// The kinds of words that a synopsis allows, such as `ITEM` or the literal word `to`.
enum Synopsis {
  private struct Token {
    let alternatives: [String]
    let isOptional: Bool
    let repeats: Bool
  }

  /// The kinds of the word that follows some words, in the order of the synopsis.
  ///
  /// A word that a form spells out selects that form: after `mv 3 to` comes a group.
  static func kinds(of synopsis: String, behind words: [String]) -> [String] {
    let verb = synopsis.prefix { !$0.isWhitespace }
    var literal: [String] = []
    var others: [String] = []
    for form in synopsis.split(separator: "\n") {
      var text = form.drop(while: \.isWhitespace)
      if text.hasPrefix(verb) { text = text.dropFirst(verb.count) }
      let tokens = tokens(of: text)
      var places: Set<Int> = [0]
      var isLiteralLast = false
      for word in words {
        (places, isLiteralLast) = step(tokens, from: closure(of: places, tokens), over: word)
      }
      let next = closure(of: places, tokens).sorted().filter { $0 < tokens.count }
        .flatMap { tokens[$0].alternatives }
      if isLiteralLast { literal += next } else { others += next }
    }
    var kinds: [String] = []
    for kind in literal.isEmpty ? others : literal where !kinds.contains(kind) {
      kinds.append(kind)
    }
    return kinds
  }

  /// Whether a word of a synopsis is typed as it is.
  static func isLiteral(_ word: String) -> Bool {
    !word.isEmpty && word.allSatisfy { $0.isLowercase && $0.isLetter }
  }

  private static func tokens(of form: Substring) -> [Token] {
    var isInOption = false
    return form.split(separator: " ").compactMap { part in
      // An option has its value in the same brackets.
      isInOption = isInOption || part.hasPrefix("[-")
      defer { if part.hasSuffix("]") { isInOption = false } }
      if isInOption { return nil }
      let core = part.filter { $0 != "[" && $0 != "]" && $0 != "." }
      let alternatives = core.split(separator: "|").map(String.init)
      if alternatives.isEmpty || core.hasPrefix("-") { return nil }
      return Token(
        alternatives: alternatives, isOptional: part.hasPrefix("["), repeats: part.hasSuffix("..."))
    }
  }

  /// The places with those that are reached without a word.
  private static func closure(of places: Set<Int>, _ tokens: [Token]) -> Set<Int> {
    var closed = places
    for place in 0..<tokens.count where closed.contains(place) && tokens[place].isOptional {
      closed.insert(place + 1)
    }
    return closed
  }

  private static func step(
    _ tokens: [Token], from places: Set<Int>, over word: String
  ) -> (Set<Int>, isLiteral: Bool) {
    var literal: Set<Int> = []
    var others: Set<Int> = []
    for place in places where place < tokens.count {
      let token = tokens[place]
      let isLiteral = token.alternatives.contains { Self.isLiteral($0) && $0 == word }
      if !isLiteral, token.alternatives.allSatisfy(Self.isLiteral) { continue }
      let next: Set<Int> = token.repeats ? [place, place + 1] : [place + 1]
      if isLiteral { literal.formUnion(next) } else { others.formUnion(next) }
    }
    return literal.isEmpty ? (others, false) : (literal, true)
  }
}
