import ArgumentParser

/// The words of `help [VERB]`.
struct HelpCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "help", abstract: "Explain the verbs, or one verb.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "The verb to explain.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    guard let word = (words + literalWords).first else { return .help(nil) }
    guard let verb = Verb(rawValue: word) else {
      throw CommandError(.unknownVerb(word, nearest: Verb.nearest(to: word)), .usage)
    }
    return .help(verb)
  }
}

/// The words of `undo`.
struct UndoCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take the last command back.")

  @OptionGroup var options: SharedOptions

  func request(literalWords: [String]) throws(CommandError) -> Request {
    try refuse(literalWords)
    return .undo
  }
}

/// The words of `redo`.
struct RedoCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Do again what was taken back last.")

  @OptionGroup var options: SharedOptions

  func request(literalWords: [String]) throws(CommandError) -> Request {
    try refuse(literalWords)
    return .redo
  }
}

/// The words of `quit`.
struct QuitCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "Leave the prompt.")

  @OptionGroup var options: SharedOptions

  func request(literalWords: [String]) throws(CommandError) -> Request {
    try refuse(literalWords)
    return .quit
  }
}
