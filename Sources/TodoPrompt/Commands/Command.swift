import TodoFormats

/// A verb of the prompt: its names, grammar, texts and action, all in one file.
///
/// A new verb is a type that conforms to this protocol, in a file of its own, and a line in
/// `Grammar.commands`. Help, completion, suggestions and the parser read the list.
protocol Command: Equatable, Sendable {
  /// The verb, as help and Tab show it.
  static var name: String { get }
  /// Other words for the verb, such as its Korean name.
  static var aliases: [String] { get }
  /// The words that may follow, the same in every language; one line for each form.
  static var synopsis: String { get }
  /// A line that is valid as it is, given a list with enough items.
  static var example: String { get }
  /// What the verb does, in one line.
  static var summary: LocalizedText { get }
  /// What `help VERB` says beyond the summary.
  static var details: [LocalizedText] { get }
  /// The options of this verb, in addition to those of every line.
  static var options: [OptionSyntax] { get }
  /// Words that Tab completes after the verb; what deletes comes last.
  static var actions: [String] { get }
  /// Korean words for actions, each with the action it means.
  static var koreanActions: KeyValuePairs<String, String> { get }
  /// Whether words other than options may follow the verb.
  static var takesWords: Bool { get }
  /// Whether the words form a title, so that a word such as `-5` may be meant as text.
  static var takesText: Bool { get }
  /// Whether the answer may be longer than the terminal, so that a pager shows it.
  var isPaged: Bool { get }
  /// Whether `--color` may name the colour of a group.
  var takesGroupColor: Bool { get }

  /// Reads the words of a line; names are resolved later, when the command runs.
  init(_ input: CommandInput) throws

  /// Runs the command and prints its answer.
  func run(in session: Session) throws
}

extension Command {
  static var aliases: [String] { [] }
  static var details: [LocalizedText] { [] }
  static var options: [OptionSyntax] { [] }
  static var actions: [String] { [] }
  static var koreanActions: KeyValuePairs<String, String> { [:] }
  static var takesWords: Bool { true }
  static var takesText: Bool { false }
  var takesGroupColor: Bool { false }
  var isPaged: Bool { false }

  /// The action that a word names; nil for one that names none.
  static func action(named word: String) -> String? {
    if actions.contains(word) { return word }
    return koreanActions.first { $0.key == word }?.value
  }

  /// The words that name items; a verb without a target never means all of them.
  static func targets(
    in words: [String], need: LocalizedText = LocalizedText("an item", "할일이")
  ) throws -> [String] {
    if words.isEmpty {
      throw CommandError(
        """
        \(name) needs \(need.english):
        \(synopsis)
        Try: \(example)
        """,
        """
        \(name)에는 \(need.korean) 필요합니다:
        \(synopsis)
        예: \(example)
        """, .usage)
    }
    return words
  }
}

/// A verb without words, such as `undo`.
protocol WordlessCommand: Command {
  init()
}

extension WordlessCommand {
  static var synopsis: String { name }
  static var example: String { name }
  static var takesWords: Bool { false }

  init(_ input: CommandInput) throws {
    try input.refuseLiteralWords()
    self.init()
  }
}

/// A verb whose words name a list, or filter it, such as `watch`.
protocol ListingCommand: Command {
  init(words: [String])
}

extension ListingCommand {
  init(_ input: CommandInput) throws { self.init(words: input.allWords) }
}

/// The words of a line: verb, options and the rest.
struct CommandInput {
  /// The command of the verb; nil if the first word is no verb.
  let command: (any Command.Type)?
  /// The words before `--` other than options, without the verb.
  let words: [String]
  /// The words after `--`, which are text even if they look like options or signs.
  let literalWords: [String]
  /// The last value of each of the verb's own options, by the option's first name.
  ///
  /// A flag's value is its name as it was typed.
  let options: [String: String]
  /// The options that every line takes.
  let shared: SharedOptions

  /// All words other than options.
  var allWords: [String] { words + literalWords }

  /// The word of a line that has one at most; nil without one.
  func onlyWord() throws -> String? {
    if allWords.count > 1 { throw CommandError(.unexpectedWord(allWords[1]), .usage) }
    return allWords.first
  }

  /// Throws if there are words after `--`.
  func refuseLiteralWords() throws {
    guard let first = literalWords.first else { return }
    throw CommandError(.unexpectedWord(first), .usage)
  }
}

extension LocalizedText {
  static func needsMore(_ command: any Command.Type) -> LocalizedText {
    LocalizedText(
      "\(command.name) needs more words:\n\(command.synopsis)\nTry: \(command.example)",
      "\(command.name)에는 더 써야 할 것이 있습니다:\n\(command.synopsis)\n예: \(command.example)")
  }

  static func unexpectedWord(_ word: String) -> LocalizedText {
    LocalizedText(
      "There is a word too many: \"\(word.visible)\".",
      "\(word.visible.inQuotes(.topic)) 여기에 쓸 수 없습니다.")
  }

  /// The answer to a change that changed nothing; there is nothing to undo either.
  static func nothingToChange(_ name: String) -> LocalizedText {
    LocalizedText("Nothing to change: \(name)", "바꿀 것 없음: \(name)")
  }
}
