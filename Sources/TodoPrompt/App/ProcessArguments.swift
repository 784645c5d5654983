import ArgumentParser

/// The arguments of the process, as the argument parser reads them.
///
/// It reads the options that every line takes, and writes what an installation needs: completion
/// scripts for shells and the manual page. The verb
/// and its words go to `Grammar`, which parses lines too: the parser builds its tree again at each
/// call, which costs a thousand times as much as a line does.
struct ProcessArguments: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo", abstract: "A to-do list that keeps its data.", helpNames: [])

  @OptionGroup var options: ProcessOptions

  @Flag(help: "Print the version.")
  var version = false

  @Flag(help: "Print the manual page, for an installation.")
  var generateManualPage = false

  @Argument(
    parsing: .allUnrecognized, help: "A verb and its words.",
    completion: .list(Grammar.commands.map { $0.name }))
  var words: [String] = []

  /// What arguments ask for.
  enum Request {
    case line(Grammar.ParsedLine)
    /// A text that the argument parser made, such as a completion script.
    case text(String)
  }

  /// Parses the arguments; `--` ends the options among them.
  static func request(_ arguments: [String]) throws(CommandError) -> Request {
    let parsed: ProcessArguments
    do {
      parsed = try ProcessArguments.parse(Array(arguments.prefix { $0 != "--" }))
    } catch {
      let message = message(for: error)
      if exitCode(for: error).isSuccess { return .text(message) }
      // The grammar refuses what the parser refuses, with texts in all languages.
      _ = try Grammar.parse(arguments)
      throw CommandError(syntax: LocalizedText(message, message), in: arguments)
    }
    if parsed.version { return .text("todo \(Program.version)") }
    if parsed.generateManualPage { return .text(ManualPage.text) }
    return .line(
      try Grammar.parse(parsed.words, of: arguments, shared: parsed.options.sharedOptions))
  }
}

/// The options that every line takes, declared for the argument parser.
struct ProcessOptions: ParsableArguments {
  @Option(
    name: .customLong("db"),
    help: ArgumentHelp("The file that holds the items.", valueName: "path"))
  var storePath: String?

  @Option(name: [.customShort("o"), .customLong("output")], help: "How results are written.")
  var output: SharedOptions.OutputFormat?

  @Flag(help: "Write results as JSON objects, one a line.")
  var jsonLines = false

  @Option(
    name: .customLong("color"),
    help: ArgumentHelp(
      "When output is coloured; after group add and group edit also the group's colour.",
      valueName: "color"),
    completion: .list(SharedOptions.ColorChoice.allCases.map(\.rawValue)))
  var colorWords: [String] = []

  @Flag(help: "Delete without asking.")
  var yes = false

  @Option(
    help: ArgumentHelp("The language of messages: ko or en.", valueName: "language"),
    completion: .list(["ko", "en"]))
  var lang: TextLanguage?

  @Flag(help: "Show results through no pager.")
  var noPager = false

  @Flag(help: "Continue after an error; the exit code is still 1.")
  var keepGoing = false

  @Flag(name: .customLong("private"), help: "Write neither the history nor the numbers of lists.")
  var isPrivate = false

  @Option(
    name: .customShort("c"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run one command line; may be repeated.", valueName: "line"))
  var commands: [String] = []

  @Flag(name: [.customShort("h"), .customLong("help")], help: "Explain the verbs, or one verb.")
  var help = false

  var sharedOptions: SharedOptions {
    var options = SharedOptions()
    options.storePath = storePath
    options.output = jsonLines ? .ndjson : output
    options.colorWords = colorWords
    options.yes = yes
    options.noPager = noPager
    options.lang = lang
    options.keepGoing = keepGoing
    options.isPrivate = isPrivate
    options.commands = commands
    options.help = help
    return options
  }
}

extension SharedOptions.OutputFormat: ExpressibleByArgument {}
extension TextLanguage: ExpressibleByArgument {}
