import TerminalText
import TodoKit

/// How one option is written, and what follows it.
struct OptionSyntax: Sendable {
  enum Kind: Sendable {
    /// The option has no value.
    case flag
    /// The option has no value, and only one of its names may be given.
    case exclusiveFlags
    /// A value follows, as the next word or after `=`; it does not begin with a dash.
    case value
    /// A value follows that may begin with a dash.
    case anyValue
  }

  /// The spellings, dashes included.
  let names: [String]
  let kind: Kind
  /// The word for the value in errors.
  let valueName: String
  /// The values that are allowed; nil if any is.
  var choices: [String]?
  /// Values that completion offers where any is allowed.
  var suggestions: [String] = []
  /// Whether the option belongs to the arguments of the program, and a line refuses it.
  private(set) var isOnlyAtStart = false
  /// The option as the table of help shows it.
  private(set) var spelling = ""
  /// What the table of help says; nil for an option that it leaves out.
  private(set) var meaning: LocalizedText?

  static func flag(_ names: String...) -> OptionSyntax {
    OptionSyntax(names: names, kind: .flag, valueName: "")
  }

  static func exclusiveFlags(_ names: String...) -> OptionSyntax {
    OptionSyntax(names: names, kind: .exclusiveFlags, valueName: "")
  }

  static func value(
    _ names: String..., valueName: String, choices: [String]? = nil, suggestions: [String] = []
  ) -> OptionSyntax {
    OptionSyntax(
      names: names, kind: .value, valueName: valueName, choices: choices, suggestions: suggestions)
  }

  static func anyValue(_ names: String..., valueName: String) -> OptionSyntax {
    OptionSyntax(names: names, kind: .anyValue, valueName: valueName)
  }

  var onlyAtStart: OptionSyntax {
    var option = self
    option.isOnlyAtStart = true
    return option
  }

  /// The option with what help says of it; by default it is shown as its names.
  func explained(
    as spelling: String? = nil, _ english: String, _ korean: String
  ) -> OptionSyntax {
    var option = self
    option.spelling = spelling ?? names.joined(separator: ", ")
    option.meaning = LocalizedText(english, korean)
    return option
  }

  /// Whether a value follows.
  var takesValue: Bool { kind == .value || kind == .anyValue }
}

/// The options that were given on a line, with their values.
struct OptionValues {
  /// The values by the first name of their option, in the order of the line; a flag's is its
  /// name as it was typed.
  private var values: [String: [String]] = [:]

  init() {}

  /// Removes the options of a syntax from words; other words are kept in their order.
  ///
  /// Options of one letter may be packed: `-ho json` is `-h -o json`.
  ///
  /// - Parameter known: All options of the line, of which a similar one is suggested in errors.
  init(
    of syntax: [OptionSyntax], extractedFrom words: inout [String],
    known: @autoclosure () -> [OptionSyntax]
  ) throws {
    guard words.contains(where: \.isOption) else { return }
    if let word = words.first(where: { $0.hasPrefix("---") }) {
      throw CommandError("Invalid option: \(word)", "잘못된 옵션입니다: \(word)", .usage)
    }
    var rest: [String] = []
    var next = words[...]
    while let word = next.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts.first.map(String.init) ?? ""
      if !word.isOption {
        rest.append(word)
      } else if let option = syntax.first(where: { $0.names.contains(name) }) {
        // `--db=` is an option whose value is the next word.
        let attached = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
        guard try add(option, named: name, attached: attached, next: &next)
        else { throw CommandError.missingValue(of: option, name) }
      } else if try !addPack(name, of: syntax, next: &next, known: known) {
        rest.append(word)
      }
    }
    words = rest
  }

  /// The last value of an option, by the option's first name.
  subscript(_ name: String) -> String? { values[name]?.last }

  /// The last value of each option, by the option's first name.
  var last: [String: String] { values.compactMapValues(\.last) }

  /// All values of an option, by the option's first name.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// Adds an option with its value.
  ///
  /// - Returns: False if the value is missing.
  private mutating func add(
    _ option: OptionSyntax, named name: String, attached: String?,
    next: inout ArraySlice<String>
  ) throws -> Bool {
    let value: String
    switch option.kind {
    case .flag, .exclusiveFlags:
      if let attached {
        throw CommandError(
          "The option '\(name)' does not take any value, but '\(attached)' was specified.",
          "'\(name)' 옵션에는 값을 쓸 수 없습니다: '\(attached)'", .usage)
      }
      if option.kind == .exclusiveFlags, let earlier = self[option.names[0]], earlier != name {
        throw CommandError(
          "Value to be set with flag '\(name)' had already been set with flag '\(earlier)'",
          "'\(earlier)' 옵션과 '\(name)' 옵션을 함께 쓸 수 없습니다", .usage)
      }
      value = name
    case .value:
      guard let given = attached ?? (next.first?.isOption == false ? next.popFirst() : nil)
      else { return false }
      value = given
    case .anyValue:
      guard let given = attached ?? next.popFirst() else { return false }
      value = given
    }
    if let choices = option.choices, !choices.contains(value) {
      throw CommandError.invalidValue(value, of: option, name)
    }
    values[option.names[0], default: []].append(value)
    return true
  }

  /// Adds the options of one letter that a word packs after one dash.
  ///
  /// - Returns: Whether it did; false unless all letters are options of the syntax.
  private mutating func addPack(
    _ pack: String, of syntax: [OptionSyntax], next: inout ArraySlice<String>,
    known: () -> [OptionSyntax]
  ) throws -> Bool {
    let names = pack.dropFirst().map { "-\($0)" }
    let options = names.compactMap { name in syntax.first { $0.names.contains(name) } }
    if options.count < names.count { return false }
    for (option, name) in zip(options, names) {
      guard try add(option, named: name, attached: nil, next: &next) else {
        let unknown = CommandError.unknownOption(pack, known: known()).message
        let missing = CommandError.missingValue(of: option, name).message
        throw CommandError(
          "\(unknown.english)\n   or: \(missing.english) in '\(pack)'",
          "\(unknown.korean)\n   또는: '\(pack)'에서 \(missing.korean)", .usage)
      }
    }
    return true
  }
}

/// Errors in the options of a line.
extension CommandError {
  /// - Parameter known: All options of the line, of which a similar one is suggested.
  static func unknownOption(_ word: String, known: [OptionSyntax]) -> CommandError {
    let name = String(word.prefix { $0 != "=" })
    let (english, korean) = ("Unknown option '\(name)'", "알 수 없는 옵션입니다: '\(name)'")
    let scored = known.flatMap(\.names).filter { $0.hasPrefix("--") }
      .map { (name: $0, distance: $0.editDistance(to: name, swaps: false)) }
    guard name.count != 2, let best = scored.min(by: { $0.distance < $1.distance }),
      best.distance < 4
    else { return CommandError(english, korean, .usage) }
    return CommandError(
      english + ". Did you mean '\(best.name)'?", korean + ". 혹시 '\(best.name)'인가요?", .usage)
  }

  fileprivate static func missingValue(of option: OptionSyntax, _ name: String) -> CommandError {
    let option = "'\(name) <\(option.valueName)>'"
    return CommandError("Missing value for \(option)", "\(option) 옵션의 값이 없습니다", .usage)
  }

  fileprivate static func invalidValue(
    _ value: String, of option: OptionSyntax, _ name: String
  ) -> CommandError {
    let names = option.choices ?? []
    let all = names.map { "'\($0)'" }
    // More than five have a line each.
    let choices =
      names.count > 5
      ? "the following:" + names.map { "\n  - \($0)" }.joined()
      : [all.dropLast().joined(separator: ", "), all.last ?? ""].joined(separator: " and ") + "."
    let option = "'\(name) <\(option.valueName)>'"
    return CommandError(
      "The value '\(value)' is invalid for \(option). Please provide one of \(choices)",
      "\(option) 옵션에 쓸 수 없는 값입니다: '\(value)'. 쓸 수 있는 값: \(names.joined(separator: ", "))", .usage)
  }
}

/// The options that every line takes, before its verb or after it.
struct SharedOptions {
  /// The format of results.
  ///
  /// `plain` is the table in full width without colours.
  enum OutputFormat: String, CaseIterable {
    case table, plain, json, ndjson, csv, tsv, md

    /// The format of records; nil where results are texts for people.
    var records: RecordFormat? { RecordFormat(rawValue: rawValue) }
  }

  /// When text is coloured; `auto` decides for each stream by itself.
  enum ColorChoice: String, CaseIterable {
    case auto, always, never
  }

  /// All options that every line takes, in the order of help.
  static let syntax: [OptionSyntax] = [
    .value("--db", valueName: "path").onlyAtStart
      .explained(as: "--db PATH", "the file with the items (or TODO_DB)", "할일 파일 (또는 TODO_DB)"),
    .value("-o", "--output", valueName: "output", choices: OutputFormat.allCases.map(\.rawValue))
      .explained(
        as: "-o FORMAT", "table, plain, json, ndjson, csv, tsv or md",
        "table, plain, json, ndjson, csv, tsv, md"),
    .flag("--json-lines").explained("as -o ndjson", "-o ndjson과 같음"),
    .value("--color", valueName: "color", suggestions: ColorChoice.allCases.map(\.rawValue))
      .explained(as: "--color auto|always|never", "when to colour", "색을 쓸 때"),
    .value("--lang", valueName: "language", choices: TextLanguage.allCases.map(\.rawValue))
      .explained(as: "--lang ko|en", "the language of messages", "메시지 언어"),
    .flag("--yes").explained("delete without asking", "묻지 않고 삭제"),
    .flag("--no-pager").explained("show long results without a pager", "긴 결과도 페이저 없이"),
    .flag("--keep-going").onlyAtStart.explained("continue after an error", "오류가 나도 계속"),
    .flag("--private").onlyAtStart
      .explained("write no history and no lists", "기록과 목록을 남기지 않음"),
    .anyValue("-c", valueName: "line").onlyAtStart,
    .flag("-h", "--help").explained("this text, or a verb's", "도움말"),
    .flag("--version").onlyAtStart.explained("the version", "버전"),
    .value(
      "--generate-completion-script", valueName: "shell",
      choices: CompletionScript.allCases.map(\.rawValue)
    ).onlyAtStart
      .explained(
        as: "--generate-completion-script SHELL", "completions for bash, zsh or fish",
        "bash, zsh, fish의 자동 완성"),
    .flag("--generate-manual-page").onlyAtStart,
  ]

  /// The options that the table of help has, as it shows them.
  static let explained: [(spelling: String, meaning: LocalizedText)] = syntax.compactMap { option in
    option.meaning.map { (option.spelling, $0) }
  }

  private var values = OptionValues()

  init() {}

  /// Removes the shared options from the words of a line; other words are kept.
  init(extractedFrom words: inout [String]) throws {
    values = try OptionValues(of: Self.syntax, extractedFrom: &words, known: Self.syntax)
  }

  var storePath: String? { values["--db"] }
  var output: OutputFormat? {
    values["--json-lines"] == nil
      ? values["-o"].flatMap(OutputFormat.init(rawValue:)) : .ndjson
  }
  /// The values of `--color`, which has two meanings; see `color` and `groupColor`.
  var colorWords: [String] { values.all("--color") }
  var yes: Bool { values["--yes"] != nil }
  var noPager: Bool { values["--no-pager"] != nil }
  var lang: TextLanguage? { values["--lang"].flatMap(TextLanguage.init(rawValue:)) }
  var keepGoing: Bool { values["--keep-going"] != nil }
  /// Whether neither the history nor the numbers of lists are written.
  var isPrivate: Bool { values["--private"] != nil }
  var commands: [String] { values.all("-c") }
  var help: Bool { values["-h"] != nil }

  /// The text that the program prints instead of running a line, such as its version.
  var text: String? {
    if values["--version"] != nil { return "todo \(Program.version)\n" }
    if values["--generate-manual-page"] != nil { return ManualPage.text }
    return values["--generate-completion-script"].flatMap(CompletionScript.init(rawValue:))?.text
  }

  /// An option that belongs to the start of the program; nil if none was given.
  var startOption: String? {
    Self.syntax.first { $0.isOnlyAtStart && values[$0.names[0]] != nil }?.names[0]
  }
}

/// The two meanings of `--color`, which no value shares.
extension SharedOptions {
  /// When output is coloured.
  var color: ColorChoice? { colorWords.compactMap(ColorChoice.init(rawValue:)).last }

  /// The colour of a group.
  var groupColor: RGBA? { colorWords.compactMap { RGBA($0) }.last }

  /// Whether a value can only be meant as the colour of a group, valid or not.
  var namesGroupColor: Bool { colorWords.contains { ColorChoice(rawValue: $0) == nil } }
}

extension String {
  /// Whether the parser reads the word as an option: a dash with something after it.
  var isOption: Bool { utf8.first == UInt8(ascii: "-") && utf8.count > 1 }
}
