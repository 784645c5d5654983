import ArgumentParser

/// Reads words as a request, with the one grammar that everything goes through.
///
/// The parser builds its tree anew for every line, some 0.4 ms. Two lines of one
/// verb that hold no option differ only in their words, so the first of them is
/// parsed and kept, and the next ones are that one with other words.
struct Grammar {
  /// By verb: a line without options, as the parser read it.
  private var plainLines: [String: any WordCommand] = [:]

  /// Reads a line's words; `--` ends the options among them.
  ///
  /// - Throws: A usage problem: unknown verb or option, a missing or a wrong value.
  mutating func parse(_ words: [String]) throws(CommandError) -> Invocation {
    let literalWords = Array(words.drop { $0 != "--" }.dropFirst())
    let words = Array(words.prefix { $0 != "--" })
    let isPlain = !words.contains { $0.hasPrefix("-") }
    if isPlain, let verb = words.first, var command = plainLines[verb] {
      command.words = Array(words.dropFirst())
      return try Self.invocation(of: command, literalWords)
    }
    let command: any VerbCommand
    do {
      let parsed = try TodoCommand.parseAsRoot(words)
      guard let verb = parsed as? any VerbCommand else {
        preconditionFailure("Every command of the grammar must conform to VerbCommand.")
      }
      command = verb
    } catch {
      return try Self.answer(to: error, on: words)
    }
    if isPlain, let verb = words.first, let plain = command as? any WordCommand {
      plainLines[verb] = plain
    }
    return try Self.invocation(of: command, literalWords)
  }

  /// What a line without any option says.
  private static let noOptions: SharedOptions = {
    do {
      return try SharedOptions.parse([])
    } catch {
      preconditionFailure("Every shared option must have a default: \(error)")
    }
  }()

  private static func invocation(
    of command: any VerbCommand, _ literalWords: [String]
  ) throws(CommandError) -> Invocation {
    let options = command.options
    if options.help {
      let verb = type(of: command).configuration.commandName.flatMap(Verb.init(rawValue:))
      return Invocation(request: .help(verb), options: options)
    }
    let request = try command.request(literalWords: literalWords)
    try options.checkColors(for: request)
    return Invocation(request: request, options: options)
  }

  /// The parser throws its answers too, such as a completion script.
  private static func answer(to error: any Error, on words: [String]) throws(CommandError)
    -> Invocation
  {
    let message = TodoCommand.message(for: error)
    if TodoCommand.exitCode(for: error).isSuccess {
      return Invocation(request: .text(message), options: noOptions)
    }
    let takesText = words.contains { $0 == Verb.add.rawValue || $0 == Verb.edit.rawValue }
    if takesText, let word = words.first(where: \.isNegativeNumber) {
      throw CommandError(.looksLikeOption(word), .usage)
    }
    throw CommandError(.grammar(message, mayBeText: takesText), .usage)
  }
}

extension String {
  /// Whether the word is a dash and digits, with or without more: no option begins so.
  fileprivate var isNegativeNumber: Bool {
    after("-")?.first.map { $0.isASCII && $0.isNumber } ?? false
  }
}
