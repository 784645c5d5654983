import TerminalText
import TodoFormats
import TodoKit

/// Parses the words of a line into a command, with the one list of all commands.
enum Grammar {
  /// A line that has been parsed.
  struct ParsedLine {
    /// The command; nil for a line without a verb.
    let command: (any Command)?
    let options: SharedOptions
  }

  /// All commands, in the order in which help and Tab show them.
  ///
  /// Commands that lose nothing come first and commands that delete come last, so that the first
  /// candidate of Tab is never a dangerous one.
  static let commands: [any Command.Type] = [
    AddCommand.self,
    ListCommand.self,
    AgendaCommand.self,
    FindCommand.self,
    ShowCommand.self,
    DoneCommand.self,
    UndoneCommand.self,
    EditCommand.self,
    NoteCommand.self,
    PriorityCommand.self,
    StarCommand.self,
    UnstarCommand.self,
    DueCommand.self,
    WaitCommand.self,
    TagCommand.self,
    UntagCommand.self,
    MoveCommand.self,
    UndoCommand.self,
    RedoCommand.self,
    RepeatCommand.self,
    OpenCommand.self,
    BackCommand.self,
    WatchCommand.self,
    ViewCommand.self,
    ThemeCommand.self,
    WebCommand.self,
    SyncCommand.self,
    ImportCommand.self,
    ExportCommand.self,
    BackupCommand.self,
    ConfigCommand.self,
    CompactCommand.self,
    HelpCommand.self,
    QuitCommand.self,
    RepairCommand.self,
    GroupCommand.self,
    ClearCommand.self,
    RemoveCommand.self,
  ]

  /// The commands by their names and aliases.
  static let commandsByName: [String: any Command.Type] = {
    var byName: [String: any Command.Type] = [:]
    for command in commands {
      for name in [command.name] + command.aliases { byName[name] = command }
    }
    return byName
  }()

  /// The most similar name to a mistyped verb; nil if no name is similar.
  ///
  /// A Korean word is compared with the Korean names.
  static func nearestName(to word: String) -> String? {
    let isKorean = !word.allSatisfy(\.isASCII)
    return word.nearest(in: isKorean ? koreanNames : commands.map { $0.name })
  }

  private static let koreanNames = commands.flatMap { $0.aliases }
    .filter { !$0.allSatisfy(\.isASCII) }

  /// Parses a line or the arguments of the process; `--` ends the options among its words.
  ///
  /// - Complexity: O(n) in the words.
  static func parse(_ line: [String]) throws -> ParsedLine {
    let input: CommandInput
    do {
      input = try CommandInput(line)
    } catch {
      throw CommandError(error).explained(in: line)
    }
    let shared = input.shared
    if shared.help {
      return ParsedLine(command: HelpCommand(verb: input.command?.name), options: shared)
    }
    if shared.text != nil { return ParsedLine(command: nil, options: shared) }
    guard let command = input.command else {
      try refuseWords(of: input)
      try checkColors(shared, takesGroupColor: false)
      return ParsedLine(command: nil, options: shared)
    }
    let parsed = try command.init(input)
    try checkColors(shared, takesGroupColor: parsed.takesGroupColor)
    return ParsedLine(command: parsed, options: shared)
  }

  /// Throws unless a line without a verb has no words at all.
  private static func refuseWords(of input: CommandInput) throws {
    guard let first = input.words.first else { return try input.refuseLiteralWords() }
    if first.hasPrefix("-") {
      throw CommandError(
        "Unknown option '\(first.visible)'", "\"\(first.visible)\" 옵션은 없습니다.", .usage)
    }
    throw CommandError(.unknownVerb(first), .usage)
  }

  /// Throws for values of `--color` that mean nothing on this line.
  private static func checkColors(_ shared: SharedOptions, takesGroupColor: Bool) throws {
    for word in shared.colorWords where SharedOptions.ColorChoice(rawValue: word) == nil {
      if !takesGroupColor {
        throw CommandError(
          "--color is auto, always or never here, not \"\(word.visible)\".",
          "--color에는 여기서 auto, always, never만 쓸 수 있습니다: \"\(word.visible)\".", .usage)
      }
      if RGBA(word) == nil {
        throw CommandError(
          "\"\(word.visible)\" is not a colour. Write it as '#ff8800' or '#f80'.",
          "\"\(word.visible)\": 색이 아닙니다. '#ff8800'이나 '#f80'처럼 쓰세요.", .usage)
      }
    }
  }
}

/// Splits the words of a line into options, verb and other words.
extension CommandInput {
  /// Splits a line; `--` ends the options among its words.
  ///
  /// - Complexity: O(n) in the words.
  init(_ line: [String]) throws {
    var words = Array(line.prefix { $0 != "--" })
    shared = try SharedOptions(extractedFrom: &words)
    literalWords = Array(line.drop { $0 != "--" }.dropFirst())
    guard let verb = words.first, let command = Grammar.commandsByName[verb] else {
      self.command = nil
      self.words = words
      options = [:]
      return
    }
    self.command = command
    var rest = Array(words.dropFirst())
    options = try OptionValues(
      of: command.options, extractedFrom: &rest, known: SharedOptions.syntax + command.options
    ).last
    if let option = rest.first(where: \.isOption) {
      throw CommandError.unknownOption(option, known: SharedOptions.syntax + command.options)
    }
    if !command.takesWords, !rest.isEmpty {
      let list = "'\(rest.joined(separator: "', '"))'"
      throw CommandError(
        rest.count == 1
          ? "Unexpected argument \(list)" : "\(rest.count) unexpected arguments: \(list)",
        "여기에 쓸 수 없는 낱말입니다: \(list)", .usage)
    }
    self.words = rest
  }

  /// Takes words of a field that is the command's own, where nothing is an option.
  init(_ words: [String], ofField command: any Command.Type) {
    self.command = command
    self.words = Array(words.prefix { $0 != "--" })
    literalWords = Array(words.drop { $0 != "--" }.dropFirst())
    options = [:]
    shared = SharedOptions()
  }
}

extension CommandError {
  /// The error in the options of a line; where its words may form a title, the text explains `--`.
  fileprivate func explained(in line: [String]) -> CommandError {
    let words = line.prefix { $0 != "--" }
    // The first word that is a verb, because options may come before it.
    guard let verb = words.lazy.compactMap({ Grammar.commandsByName[$0] }).first, verb.takesText
    else { return self }
    if let word = words.first(where: \.isNegativeNumber) {
      return CommandError(
        """
        "\(word.visible)" looks like an option. Put -- before the words of the title: \
        -- \(word.visible)
        """,
        "\(word.visible.inQuotes(.topic)) 옵션처럼 보입니다. 제목 앞에 --를 쓰세요: -- \(word.visible)", .usage)
    }
    return CommandError(
      message.english + " (After -- every word belongs to the title.)",
      message.korean + " (-- 뒤의 낱말은 모두 제목이 됩니다.)", .usage)
  }
}

extension String {
  /// Whether the word begins with a dash and a digit, as no option does.
  fileprivate var isNegativeNumber: Bool {
    after("-")?.first.map { $0.isASCII && $0.isNumber } ?? false
  }

  /// The most similar of some words, for a mistyped one; nil if none is similar.
  ///
  /// A word that begins with this one is preferred. Otherwise it is the word with the fewest edits,
  /// if that is one or two edits, fewer in short words. Of several it is the first.
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
}
