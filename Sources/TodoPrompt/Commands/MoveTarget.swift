/// A place on a list as it was typed: at an end, or beside something that words name.
enum MoveTarget: Hashable {
  case first, last
  case before(String)
  case after(String)

  /// Parts the words of a move from the place at their end; nil where they name none.
  ///
  /// `before` and `after` count at their last place that has words on both sides, so that
  /// names may hold them too.
  static func split(_ words: [String]) -> (subject: [String], place: MoveTarget)? {
    let beside = words.indices.dropFirst().dropLast()
      .last { words[$0] == "before" || words[$0] == "after" }
    if let beside {
      let neighbor = words[(beside + 1)...].joined(separator: " ")
      return (
        Array(words[..<beside]), words[beside] == "before" ? .before(neighbor) : .after(neighbor)
      )
    }
    guard words.count > 1, let end = words.last else { return nil }
    switch end {
    case "top", "first": return (words.dropLast(), .first)
    case "bottom", "last": return (words.dropLast(), .last)
    default: return nil
    }
  }

  /// The word that stands where a place should; nil where words are missing.
  static func typo(_ words: [String]) -> String? {
    guard words.count > 1, let last = words.last else { return nil }
    let names = ["before", "after", "to", "top", "first", "bottom", "last"]
    return words.contains { names.contains($0) } ? nil : last
  }
}
