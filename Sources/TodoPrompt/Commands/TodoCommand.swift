import ArgumentParser

/// The root of the one grammar that reads arguments, `-c`, scripts and the prompt.
///
/// It takes no word itself. What does not begin with a verb falls through to
/// `StartCommand`, which knows whether that is the bare program or a slip.
struct TodoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo",
    abstract: "A to-do list that keeps its data.",
    subcommands: Verb.allCases.map { $0.command } + [StartCommand.self],
    defaultSubcommand: StartCommand.self,
    helpNames: [])

  @OptionGroup var options: SharedOptions
}

/// One verb's part of the grammar.
protocol VerbCommand: ParsableCommand {
  /// The options that stand anywhere on the line.
  var options: SharedOptions { get }

  /// What the words ask for.
  ///
  /// - Parameter literalWords: The words after `--`, which the parser has not seen: it
  ///   would not tell them from the others, and a title's `!h` is only text there.
  func request(literalWords: [String]) throws(CommandError) -> Request
}

extension VerbCommand {
  /// For verbs that take no words: there must be none behind `--` either.
  func refuse(_ literalWords: [String]) throws(CommandError) {
    guard let first = literalWords.first else { return }
    throw CommandError(.unexpectedWord(first), .usage)
  }
}

/// A verb that takes plain words, as many as there are.
protocol WordCommand: VerbCommand {
  /// The words after the verb that are no options.
  var words: [String] { get set }
}

/// What is read when no verb stands first.
struct StartCommand: VerbCommand {
  static let configuration = CommandConfiguration(commandName: "start", shouldDisplay: false)

  @OptionGroup var options: SharedOptions
  @Argument(parsing: .allUnrecognized) var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    guard let first = words.first else {
      try refuse(literalWords)
      return .start
    }
    if first.hasPrefix("-") { throw CommandError(.unknownOption(first), .usage) }
    throw CommandError(.unknownVerb(first, nearest: Verb.nearest(to: first)), .usage)
  }
}
