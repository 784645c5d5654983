/// Parses the words of a line into a command, with the one list of all commands.
enum Grammar {
  /// All commands, in the order in which help and Tab show them.
  ///
  /// Commands that lose nothing come first and commands that delete come last, so that the first
  /// candidate of Tab is never a dangerous one.
  static let commands: [any Command.Type] = [
    AddCommand.self,
    ListCommand.self,
    ShowCommand.self,
    DoneCommand.self,
    UndoneCommand.self,
    EditCommand.self,
    PriorityCommand.self,
    StarCommand.self,
    UnstarCommand.self,
    DueCommand.self,
    TagCommand.self,
    UntagCommand.self,
    MoveCommand.self,
    UndoCommand.self,
    RedoCommand.self,
    HelpCommand.self,
    QuitCommand.self,
    GroupCommand.self,
    RemoveCommand.self,
  ]

  /// The commands by their names and aliases.
  private static let commandsByName: [String: any Command.Type] = {
    var byName: [String: any Command.Type] = [:]
    for command in commands {
      for name in [command.name] + command.aliases { byName[name] = command }
    }
    return byName
  }()

  /// The command with a name or an alias; nil if there is none.
  static func command(named name: String) -> (any Command.Type)? { commandsByName[name] }

  /// The name that a mistyped verb most likely means; nil if no name is near.
  static func nearestName(to word: String) -> String? {
    word.nearest(in: commands.map { $0.name })
  }

  /// Parses a line; `--` ends the options among its words.
  ///
  /// - Throws: An error with the status `usage`.
  /// - Complexity: O(n) in the words.
  static func parse(_ line: [String]) throws(CommandError) -> ParsedLine {
    var words = Array(line.prefix { $0 != "--" })
    let shared: SharedOptions
    do throws(OptionError) {
      shared = try SharedOptions(extractedFrom: &words)
    } catch {
      throw CommandError(syntax: error.message, in: line)
    }
    return try parse(words, of: line, shared: shared)
  }

  /// Parses what is left of a line when the shared options have been taken from it.
  static func parse(
    _ words: [String], of line: [String], shared: SharedOptions
  ) throws(CommandError) -> ParsedLine {
    let literalWords = Array(line.drop { $0 != "--" }.dropFirst())
    guard let verb = words.first, let command = commandsByName[verb] else {
      return try parseWithoutVerb(words, literalWords: literalWords, shared: shared)
    }
    var rest = Array(words.dropFirst())
    let options: OptionValues
    do throws(OptionError) {
      options = try OptionValues(
        of: command.options, extractedFrom: &rest, known: SharedOptions.syntax + command.options)
      if let option = rest.first(where: \.isOption) {
        throw .unknown(option, known: SharedOptions.syntax + command.options)
      }
      if !command.takesWords, !rest.isEmpty { throw .unexpected(rest) }
    } catch {
      throw CommandError(syntax: error.message, in: line)
    }
    if shared.help { return ParsedLine(command: HelpCommand(verb: command.name), options: shared) }
    let input = CommandInput(
      words: rest, literalWords: literalWords, options: options, shared: shared)
    let parsed = try command.init(input)
    try shared.checkColors(takesGroupColor: parsed.takesGroupColor)
    return ParsedLine(command: parsed, options: shared)
  }

  private static func parseWithoutVerb(
    _ words: [String], literalWords: [String], shared: SharedOptions
  ) throws(CommandError) -> ParsedLine {
    if shared.help { return ParsedLine(command: HelpCommand(verb: nil), options: shared) }
    guard let first = words.first else {
      if let literal = literalWords.first { throw CommandError(.unexpectedWord(literal), .usage) }
      try shared.checkColors(takesGroupColor: false)
      return ParsedLine(command: nil, options: shared)
    }
    if first.hasPrefix("-") { throw CommandError(.unknownOption(first), .usage) }
    throw CommandError(.unknownVerb(first), .usage)
  }
}

/// A line that has been parsed.
struct ParsedLine {
  /// The command; nil for a line without a verb.
  let command: (any Command)?
  let options: SharedOptions
}

extension CommandError {
  /// An error in the options of a line, which is told in English.
  ///
  /// If the words of the line may form a title, the text says how they are kept from being read
  /// as options.
  init(syntax message: String, in line: [String]) {
    let takesText = line.prefix { $0 != "--" }
      .contains { word in Grammar.commands.contains { $0.takesText && $0.name == word } }
    guard takesText else {
      self.init(LocalizedText(message, message), .usage)
      return
    }
    if let word = line.prefix(while: { $0 != "--" }).first(where: \.isNegativeNumber) {
      self.init(.looksLikeOption(word), .usage)
      return
    }
    self.init(
      LocalizedText(
        message + " (After -- every word belongs to the title.)",
        message + " (-- 뒤의 낱말은 모두 제목이 됩니다.)"), .usage)
  }
}

extension String {
  /// Whether the word is a dash and digits, with or without more: no option begins so.
  fileprivate var isNegativeNumber: Bool {
    after("-")?.first.map { $0.isASCII && $0.isNumber } ?? false
  }

  /// The text behind a prefix; nil without the prefix, or with nothing behind it.
  func after(_ prefix: String) -> String? {
    guard hasPrefix(prefix) else { return nil }
    let rest = dropFirst(prefix.count)
    return rest.isEmpty ? nil : String(rest)
  }

  /// The word that this one most likely means if it was mistyped; nil if none is near.
  ///
  /// A word that begins with this one is taken first. Otherwise the word with the fewest edits is
  /// taken, if that is one or two edits, fewer in short words. Of equals the first one is taken.
  func nearest(in words: [String]) -> String? {
    let typed = lowercased()
    if typed.isEmpty { return nil }
    if words.contains(typed) { return typed }
    if let begun = words.first(where: { $0.hasPrefix(typed) }) { return begun }
    let scored = words.map { (word: $0, distance: typed.editDistance(to: $0)) }
    guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
    let allowed = Swift.min(2, Swift.max(typed.count, best.word.count) / 2)
    return best.distance <= allowed ? best.word : nil
  }

  /// The optimal string alignment distance between two words.
  ///
  /// It counts the letters to insert, delete, replace or swap with the next one.
  ///
  /// - Parameter swaps: Whether a swap counts as one edit; without swaps the result is the
  ///   Levenshtein distance.
  /// - Complexity: O(m * n) for words of m and n letters.
  func editDistance(to other: String, swaps: Bool = true) -> Int {
    let from = Array(self)
    let to = Array(other)
    var beforeLast: [Int] = []
    var last = Array(0...to.count)
    for (i, letter) in from.enumerated() {
      var row = [i + 1]
      for (j, wanted) in to.enumerated() {
        var least = Swift.min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == wanted ? 0 : 1))
        if swaps, i > 0, j > 0, letter == to[j - 1], from[i - 1] == wanted {
          least = Swift.min(least, beforeLast[j - 1] + 1)
        }
        row.append(least)
      }
      beforeLast = last
      last = row
    }
    return last[to.count]
  }
}

extension LocalizedText {
  static func unknownVerb(_ word: String) -> LocalizedText {
    guard let nearest = Grammar.nearestName(to: word) else {
      return LocalizedText(
        "There is no verb \"\(word.visible)\". \"help\" lists them.",
        "\"\(word.visible)\" 명령은 없습니다. \"help\"로 목록을 볼 수 있습니다.")
    }
    return LocalizedText(
      "There is no verb \"\(word.visible)\". Did you mean \"\(nearest)\"?",
      "\"\(word.visible)\" 명령은 없습니다. 혹시 \"\(nearest)\"인가요?")
  }

  fileprivate static func unknownOption(_ word: String) -> LocalizedText {
    LocalizedText("Unknown option '\(word.visible)'", "\"\(word.visible)\" 옵션은 없습니다.")
  }

  fileprivate static func looksLikeOption(_ word: String) -> LocalizedText {
    LocalizedText(
      """
      "\(word.visible)" looks like an option. Put -- before the words of the title: \
      -- \(word.visible)
      """,
      "\"\(word.visible)\"은(는) 옵션처럼 보입니다. 제목 앞에 --를 쓰세요: -- \(word.visible)")
  }
}
