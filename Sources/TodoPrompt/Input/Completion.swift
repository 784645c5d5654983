import LineEditing
import TodoKit

/// What a list contains that Tab can complete; each is read when it is asked for.
struct CompletionNames {
  var groups: () -> [String] = { [] }
  var tags: () -> [String] = { [] }
  /// The paths that begin with a text; those of folders end in a slash.
  var files: (String) -> [String] = { _ in [] }
  /// The titles of the items of the last list, in the order of their numbers; empty of one that has gone.
  var titles: () -> [String] = { [] }
  var language = TextLanguage.english
}

/// The completion of a line for Tab: verbs, their options, and words of the kinds that a verb takes.
///
/// The kinds are those of the verb's synopsis, such as `due ITEM... DAY|none`. A word that begins with a
/// sign, such as `@` or `due:`, is completed after any verb.
extension Completion {
  /// - Parameter text: The line up to the cursor.
  init(of text: String, names: CompletionNames = CompletionNames()) {
    // The word at the cursor keeps its quotes.
    let start = LineTokenizer(text).lastWordStart
    let last = String(decoding: text.utf8.dropFirst(start), as: UTF8.self)
    let before = LineTokenizer(String(decoding: text.utf8.prefix(start), as: UTF8.self)).words
    let finder = CandidateFinder(names: names, before: before, word: last)
    // A folder is not the end of a path.
    self.init(last, by: finder.candidates()) { $0.hasSuffix("/") ? "" : " " }
  }
}

/// Finds the candidates for a word.
private struct CandidateFinder {
  typealias Candidate = Completion.Candidate

  let names: CompletionNames
  let before: [String]
  let word: String

  func candidates() -> [Candidate] {
    guard let verb = before.first(where: { !$0.isOption }) else {
      return before.isEmpty ? matching(verbs, sign: "") : []
    }
    if before.contains("--") { return [] }
    for sign in LineSign.all {
      if let spelling = sign.spellings.first(where: word.hasPrefix) {
        return matching(values(of: sign, spelled: spelling), sign: spelling)
      }
    }
    guard let command = Grammar.commandsByName[verb] else { return [] }
    let options = command.options + SharedOptions.syntax
    if let last = options.first(where: { $0.names.contains(before.last ?? "") }), last.takesValue {
      return matching(values(of: last), sign: "")
    }
    if word.hasPrefix("-") {
      let names = options.filter { !$0.isOnlyAtStart }.flatMap(\.names)
      return matching(names.filter { $0.hasPrefix("--") }, sign: "")
    }
    let words = before.drop { $0 != verb }.dropFirst().filter { !$0.isOption }
    if words.isEmpty, !command.actions.isEmpty {
      let korean = command.koreanActions.map(\.key)
      return matching(isKorean && !korean.isEmpty ? korean : command.actions, sign: "")
    }
    let canonical = words.map { command.action(named: $0) ?? $0 }
    return Synopsis.kinds(of: command.synopsis, behind: canonical).flatMap(candidates(of:))
      .prefix(Completion.choicesMax).map { $0 }
  }

  /// The verbs; those of another script only where their first letter was typed.
  private var verbs: [String] {
    let names = Grammar.commands.map { $0.name }
    guard let first = word.first, !first.isASCII else { return names }
    return Grammar.commands.flatMap { $0.aliases }
  }

  private func values(of sign: LineSign, spelled spelling: String) -> [String] {
    switch sign {
    case .group: names.groups()
    case .tag: names.tags()
    case .priority: isKorean ? ["높음", "보통", "낮음"] : ["high", "normal", "low"]
    // `매주:` has a part of the rule in it: the rest is completed.
    case .repeats where spelling.hasPrefix("매"):
      values(of: ItemField.repeats.candidates).compactMap { $0.after(spelling.dropLast() + " ") }
    case .state: SearchTerm.State.allCases.map { isKorean ? $0.koreanWord : $0.rawValue }
    default: values(of: ItemField.field(of: sign)?.candidates ?? ItemField.days)
    }
  }

  private func values(of option: OptionSyntax) -> [String] {
    if let choices = option.choices { return choices }
    if option.names.contains("-g") || option.names.contains("--group") { return names.groups() }
    let field = ItemField.all.first { $0.option.names == option.names }
    return field.map { values(of: $0.candidates) } ?? option.suggestions
  }

  private func candidates(of kind: String) -> [Candidate] {
    switch kind {
    case "ITEM": items
    case "GROUP": matching(names.groups(), sign: "")
    case "KEY":
      matching(Config.Key.allCases.map { isKorean ? $0.koreanName : $0.rawValue }, sign: "")
    case "FILE": files
    case "WORD": matching(names.tags(), sign: "")
    case "VERB": matching(verbs, sign: "")
    default:
      if let field = ItemField.all.first(where: { $0.kind.english == kind }) {
        matching(values(of: field.candidates), sign: "")
      } else {
        Synopsis.isLiteral(kind) ? matching([kind], sign: "") : []
      }
    }
  }

  /// Paths; one of a folder that needs quotes stays open.
  private var files: [Candidate] {
    let quote = word.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
    return names.files(String(quote == nil ? word[...] : word.dropFirst()))
      .prefix(Completion.choicesMax).map { path in
        let needsQuotes = quote != nil || path.asWord != path
        let text = needsQuotes ? path.quoted : path
        let isOpen = needsQuotes && path.hasSuffix("/")
        return Candidate(text: isOpen ? String(text.dropLast()) : text, label: path.visible)
      }
  }

  /// Items by their number, or by a word of their title.
  private var items: [Candidate] {
    var found: [Candidate] = []
    for (index, title) in names.titles().enumerated()
    where !title.isEmpty && found.count < Completion.choicesMax {
      let number = String(index + 1)
      let isNamed =
        number.hasPrefix(word)
        || title.split(separator: " ").contains { $0.lowercased().hasPrefix(word.lowercased()) }
      if isNamed { found.append(Candidate(text: number, label: "\(number) \(title.visible)")) }
    }
    return found
  }

  private func values(of candidates: (english: [String], korean: [String])) -> [String] {
    isKorean ? candidates.korean : candidates.english
  }

  /// Whether Korean words are meant: by the letters of the word, or else by the language.
  private var isKorean: Bool {
    if let last = word.last, last.isLetter { return !last.isASCII }
    // A Korean sign is written before Korean words, whatever the language.
    return word.contains { !$0.isASCII } || names.language == .korean
  }

  /// The candidates among some values, with the sign and the quotes that they need.
  private func matching(_ values: [String], sign: String) -> [Candidate] {
    var typed = word.dropFirst(sign.count).lowercased()
    let quote = typed.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
    if quote != nil { typed.removeFirst() }
    var found: [Candidate] = []
    for value in values where value.lowercased().hasPrefix(typed) {
      let isQuoted = quote != nil || value.contains { $0.isWhitespace || $0 == "\"" || $0 == "\\" }
      let text = isQuoted ? value.quoted : value
      found.append(Candidate(text: sign + text, label: sign + value.visible))
      if found.count == Completion.choicesMax { break }
    }
    return found
  }
}
