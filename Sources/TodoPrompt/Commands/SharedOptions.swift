import ArgumentParser

/// How results are written.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json
}

/// When text is coloured; `auto` decides for each stream by itself.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

/// The options that every command takes, before its verb or after it.
///
/// They belong to the root of the grammar, which reads them wherever they stand
/// on the line; the verbs share what it read.
struct SharedOptions: ParsableArguments {
  @Option(
    name: .customLong("db"),
    help: ArgumentHelp("The file that holds the items.", valueName: "path"))
  var storePath: String?

  @Option(name: [.customShort("o"), .customLong("output")], help: "How results are written.")
  var output: OutputFormat?

  @Option(help: "When output is coloured.")
  var color: ColorChoice?

  @Flag(help: "Delete without asking.")
  var yes = false

  @Option(
    help: ArgumentHelp("The language of messages: ko or en.", valueName: "language"),
    completion: .list(["ko", "en"]))
  var lang: MessageLanguage?

  @Flag(help: "Go on after an error; the exit code is still 1.")
  var keepGoing = false

  @Option(
    name: .customShort("c"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run one command line; may be repeated.", valueName: "line"))
  var commands: [String] = []

  @Flag(name: [.customShort("h"), .customLong("help")], help: "Explain the verbs, or one verb.")
  var help = false
}
