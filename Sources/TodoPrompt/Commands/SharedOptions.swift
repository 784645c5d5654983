import ArgumentParser
import TodoKit

/// How results are written.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json
}

/// When text is coloured; `auto` decides for each stream by itself.
enum ColorChoice: String, CaseIterable {
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

  @Option(
    name: .customLong("color"),
    help: ArgumentHelp(
      "When output is coloured; after group add and group edit also the group's colour.",
      valueName: "color"),
    completion: .list(ColorChoice.allCases.map(\.rawValue)))
  var colorWords: [String] = []

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

/// The two meanings of `--color`: no word has both, so the word says which is meant.
extension SharedOptions {
  /// When output is coloured.
  var color: ColorChoice? { colorWords.compactMap(ColorChoice.init(rawValue:)).last }

  /// The colour of a group.
  var groupColor: RGBA? { colorWords.compactMap { RGBA($0) }.last }

  /// Whether a word is there that can only be meant as the colour of a group, right or wrong.
  var namesGroupColor: Bool { colorWords.contains { ColorChoice(rawValue: $0) == nil } }

  /// Refuses words that mean nothing where they stand.
  func checkColors(for request: Request) throws(CommandError) {
    let takesGroupColor =
      switch request {
      case .group(.add), .group(.edit): true
      default: false
      }
    for word in colorWords where ColorChoice(rawValue: word) == nil {
      if !takesGroupColor { throw CommandError(.unknownColorChoice(word), .usage) }
      if RGBA(word) == nil { throw CommandError(.notAColor(word), .usage) }
    }
  }
}
