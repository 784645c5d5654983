import Croft

/// What a person should type in the filter line in place of a text that is more than a condition.
struct FilterAdvice {
  /// A part of the filter that does not belong there.
  struct Clause: Equatable {
    /// What to do, as a sentence.
    let reason: String
    /// Where it begins and ends, as numbers of Unicode scalars.
    let range: Range<Int>
  }

  private let scalars: [Unicode.Scalar]
  private let words: [Word]
  private let model: StoredModel
  /// The names of all models, in small letters.
  private let modelNames: Set<String>

  /// A word outside quotes, in small letters.
  private struct Word {
    let text: String
    let range: Range<Int>
    /// Whether a point is before it, so that it is a part of a path.
    let isInPath: Bool
    /// Whether it is followed by a sign with which a comparison or a path continues.
    let isCompared: Bool
  }

  /// Makes the advice for a filter of a model.
  ///
  /// - Parameter models: All models of the file.
  init(_ filter: String, of model: StoredModel, among models: [StoredModel]) {
    scalars = Array(filter.unicodeScalars)
    words = Self.words(of: scalars)
    self.model = model
    modelNames = Set(models.map { $0.name.lowercased() })
  }

  /// What begins a statement or a clause in the filter; nil where it seems to be a condition alone.
  ///
  /// - Parameter position: Where the filter cannot be read, as a number of scalars; nil where that is not known.
  func clause(at position: Int?) -> Clause? {
    for (place, word) in words.enumerated() where !word.isInPath && !isProperty(word.text) {
      let next = place + 1 < words.count ? words[place + 1] : nil
      if place == 0, modelNames.contains(word.text) {
        guard next == nil && !word.isCompared || next.map({ Self.isStart($0.text) }) == true
        else { continue }
        return clause(word.range, next?.text ?? "")
      }
      if word.isCompared { continue }
      if ["sort", "order", "group"].contains(word.text) {
        guard let next, next.text == "by" else { continue }
        return clause(word.range.lowerBound..<next.range.upperBound, word.text)
      }
      let isWrong = position.map(word.range.contains) ?? false
      if Self.starts.contains(word.text) || isWrong && Self.foreignStarts.contains(word.text) {
        return clause(word.range, word.text)
      }
    }
    return nil
  }

  private func clause(_ range: Range<Int>, _ word: String) -> Clause {
    let rule = "Type only what follows where"
    if let condition { return Clause(reason: "\(rule): \(condition)", range: range) }
    let more =
      switch word {
      case "sort", "order", "sortby", "orderby", "desc", "asc":
        "; to sort, click the name of a column."
      case "limit", "offset", "skip", "top", "first", "take", "fetch":
        "; a page has \(ObjectGrid.rowCount) objects, and links lead to the others."
      case "select", "from", "find": "; the page shows all properties."
      case "group", "distinct", "groupby", "having":
        "; the values to filter by are counted beside the objects."
      case "insert", "update", "delete", "set":
        "; objects are changed with the buttons of the pages."
      default: "."
      }
    return Clause(reason: rule + more, range: range)
  }

  /// The condition in a whole query; nil without one.
  private var condition: String? {
    guard let start = words.first(where: { $0.text == "where" && !$0.isCompared }) else {
      return nil
    }
    let rest = words.filter { $0.range.lowerBound > start.range.lowerBound && !$0.isInPath }
    let end = rest.indices.first { place in
      let word = rest[place]
      guard !isProperty(word.text), !word.isCompared else { return false }
      if ["sort", "order", "group"].contains(word.text) {
        return place + 1 < rest.count && rest[place + 1].text == "by"
      }
      return Self.starts.contains(word.text)
    }.map { rest[$0].range.lowerBound }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars[start.range.upperBound..<(end ?? scalars.count)])
    let condition = String(text.trimmed)
    return condition.isEmpty ? nil : condition
  }

  private func isProperty(_ word: String) -> Bool {
    model.properties.contains { property in
      property.name.lowercased().split(separator: ".").first.map(String.init) == word
    }
  }

  /// Words with which clauses and statements begin, in small letters.
  private static let starts: Set<String> = [
    "where", "select", "limit", "offset", "distinct", "insert", "update", "delete",
  ]
  /// Words with which they begin in other languages.
  private static let foreignStarts: Set<String> = [
    "sortby", "orderby", "groupby", "having", "skip", "top", "first", "take", "fetch", "from",
    "find", "set", "desc", "asc", "filter",
  ]

  private static func isStart(_ word: String) -> Bool {
    starts.contains(word) || ["sort", "order", "group"].contains(word)
  }

  private static func words(of scalars: [Unicode.Scalar]) -> [Word] {
    var words: [Word] = []
    var place = 0
    while place < scalars.count {
      let scalar = scalars[place]
      if scalar == "\"" || scalar == "'" || scalar == "`" {
        place += 1
        while place < scalars.count, scalars[place] != scalar {
          place += scalars[place] == "\\" ? 2 : 1
        }
        place += 1
        continue
      }
      guard scalar.isPartOfName else {
        place += 1
        continue
      }
      let start = place
      while place < scalars.count, scalars[place].isPartOfName { place += 1 }
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars[start..<place])
      let next = scalars[place...].first { !$0.properties.isWhitespace }
      words.append(
        Word(
          text: text.lowercased(), range: start..<place,
          isInPath: start > 0 && scalars[start - 1] == ".",
          isCompared: next.map("=!<>.~+*/%[".unicodeScalars.contains) ?? false))
    }
    return words
  }
}

// Hints of errors of query texts.
extension FilterAdvice {
  /// What is wrong with a condition, with hints of what can be typed in a filter alone.
  static func reason(_ reason: String) -> String {
    let following = ": what may follow is "
    if let start = reason.firstRange(of: following) {
      let joints = reason[start.upperBound...].split(separator: ", ").filter {
        $0 == "and" || $0 == "or"
      }
      let rest =
        joints.isEmpty ? complete : following + joints.joined(separator: ", ")
      return String(reason[..<start.lowerBound]) + rest
    }
    if reason.hasPrefix("there is no value for $") || reason.hasPrefix("a parameter has") {
      return "a filter has no parameters: write the value itself"
    }
    for clause in ["where", "select", "group by", "distinct by", "sort by", "limit"] {
      let hint = ": write \(clause)"
      if reason.hasSuffix(hint) { return reason.dropLast(hint.count) + following + "and, or" }
    }
    return reason.replacing(", or give a parameter: $1", with: "")
      .replacing(": the query is complete before it", with: complete)
      .replacing("write one query at a time, or join", with: "join")
      .replacing("write one query at a time", with: "leave it out")
      .replacing("the query is longer", with: "the filter is longer")
      .replacing("is no sign of a query", with: "is no sign of a filter")
  }

  private static let complete = ": the filter is complete before it"
}

extension Unicode.Scalar {
  /// Whether names and numbers have it.
  fileprivate var isPartOfName: Bool {
    properties.isAlphabetic || properties.numericType != nil || self == "_"
      || properties.canonicalCombiningClass != .notReordered
  }
}
