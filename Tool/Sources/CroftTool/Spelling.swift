import TerminalText

/// Misspelt words, and what they are meant to be.
enum Spelling {
  /// One of so many letters may be wrong in a misspelt name.
  private static let lettersPerEdit = 3

  /// The name that differs least from a misspelt one; nil where none is similar.
  static func nearest(to word: String, among names: [String]) -> String? {
    let word = word.lowercased()
    return names.map { (name: $0, edits: word.editDistance(to: $0.lowercased())) }
      .filter { $0.edits <= word.count / lettersPerEdit }
      .min { $0.edits < $1.edits }?.name
  }
}

// Words with which no line begins.
extension Shell {
  /// Words with which lines begin, which the library's errors name at their place.
  private static let libraryWords = ["insert", "update", "delete", "select", "count"]

  /// What to write for a line that begins with a misspelt word of the shell; nil for others.
  func misspeltWord(_ line: String) -> String? {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    if let advice = adviceOnForeignWord(words) { return advice }
    guard let word = words.first, word.allSatisfy(\.isLetter), !hasModel(word),
      Spelling.nearest(to: word, among: modelNames) == nil
    else { return nil }
    let usages = words.count == 1 ? ShellCommand.usages : ShellCommand.usages.filter(\.takesModel)
    let commands = usages.map { String($0.name.dropFirst()) }
    let own = words.count == 1 ? ["begin", "commit", "rollback"] : ["watch"]
    guard words.count == 1 || hasModel(words[1]),
      let meant = Spelling.nearest(to: word, among: Self.libraryWords + own + commands),
      !Self.libraryWords.contains(meant)
    else { return nil }
    let isCommand = !own.contains(meant)
    return "the file has no model \(word.escaped()): write \(isCommand ? "." : "")\(meant)"
  }

  /// What to write for a line that begins with a word of other shells; nil for others.
  func adviceOnForeignWord(_ words: [String]) -> String? {
    guard let word = words.first, !hasModel(word) else { return nil }
    let model = words.dropFirst().last { hasModel($0) }
    let start = "the file has no model \(word.escaped()): "
    let isOfModel = words.count < 2 || namesModel(words[1])
    switch word.lowercased() {
    case "describe", "desc": return start + "write .schema" + (model.map { " " + $0 } ?? "")
    case "show", "list":
      guard words.count > 1, ["tables", "models", "collections"].contains(words[1].lowercased())
      else { return nil }
      return start + "write .models"
    case "drop" where isOfModel, "truncate" where isOfModel:
      return start + "a model stays, and with --write its objects are deleted: write delete "
        + "\(model ?? "MODEL");"
    case "create", "alter", "drop", "truncate":
      return start + "programs declare models; .schema\(model.map { " " + $0 } ?? "") shows them"
    default: return nil
    }
  }

  /// Whether a word after drop or truncate is a model, or says that one follows.
  private func namesModel(_ word: String) -> Bool {
    ["table", "collection", "model"].contains(word.lowercased()) || hasModel(word)
  }

  /// Whether a text begins with a misspelt word for which a model follows.
  func beginsMisspelt(_ words: [Substring]) -> Bool {
    guard let word = words.first, words.count > 1, hasModel(String(words[1])) else { return false }
    return Spelling.nearest(to: String(word), among: Self.libraryWords + ["watch"]) != nil
  }
}

extension ShellCommand.Usage {
  /// Whether a model or a query follows it.
  fileprivate var takesModel: Bool {
    words.first.map { ["MODEL", "QUERY"].contains($0) } ?? false
  }
}
