extension Verb {
  /// The words that name items; a verb without a target never means all of them.
  func targets(_ words: [String]) throws(CommandError) -> [String] {
    if words.isEmpty { throw CommandError(.noTargets(self), .usage) }
    return words
  }

  /// Parts the words that name items from what is to be done with them.
  ///
  /// The first word names items, whatever it looks like, and so do the numbers and ranges that
  /// follow it. There must be something else.
  func splitTargets(
    _ words: [String]
  ) throws(CommandError) -> (targets: [String], rest: [String]) {
    let count = 1 + (try targets(words)).dropFirst().prefix { $0.isDigits || $0.isRange }.count
    if count == words.count { throw CommandError(.needsMore(self), .usage) }
    return (Array(words[..<count]), Array(words[count...]))
  }
}

extension String {
  /// Whether the word is digits and nothing else, in which case it can only be a number.
  var isDigits: Bool { !isEmpty && allSatisfy { $0.isASCII && $0.isNumber } }

  /// Whether the word looks like a number, a range or an id.
  var mayNameItems: Bool { isDigits || isRange || ShortID(self) != nil }

  /// Whether the word is two numbers with a dash between them.
  var isRange: Bool {
    let ends = split(separator: "-", omittingEmptySubsequences: false)
    return ends.count == 2 && ends.allSatisfy { String($0).isDigits }
  }
}
