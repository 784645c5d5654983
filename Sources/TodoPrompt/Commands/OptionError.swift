/// An error in the options of a line.
///
/// Its English texts equal those of the argument parser.
struct OptionError: Error {
  let message: LocalizedText

  /// - Parameter known: All options of the line, of which a similar one is suggested.
  static func unknown(_ word: String, known: [OptionSyntax]) -> OptionError {
    let name = String(word.prefix { $0 != "=" })
    let message = LocalizedText("Unknown option '\(name)'", "알 수 없는 옵션입니다: '\(name)'")
    if name.count == 2 { return OptionError(message: message) }
    let scored = known.flatMap(\.names).filter { $0.hasPrefix("--") }
      .map { (name: $0, distance: $0.editDistance(to: name, swaps: false)) }
    guard let best = scored.min(by: { $0.distance < $1.distance }), best.distance < 4
    else { return OptionError(message: message) }
    return OptionError(
      message: LocalizedText(
        message.english + ". Did you mean '\(best.name)'?",
        message.korean + ". 혹시 '\(best.name)'인가요?"))
  }

  static func invalid(_ word: String) -> OptionError {
    OptionError(message: LocalizedText("Invalid option: \(word)", "잘못된 옵션입니다: \(word)"))
  }

  static func unexpected(_ words: [String]) -> OptionError {
    let list = "'\(words.joined(separator: "', '"))'"
    let english =
      words.count == 1
      ? "Unexpected argument \(list)" : "\(words.count) unexpected arguments: \(list)"
    return OptionError(message: LocalizedText(english, "여기에 쓸 수 없는 낱말입니다: \(list)"))
  }

  static func missingValue(_ option: OptionSyntax, _ name: String) -> OptionError {
    let option = "'\(name) <\(option.valueName)>'"
    return OptionError(
      message: LocalizedText("Missing value for \(option)", "\(option) 옵션의 값이 없습니다"))
  }

  /// A pack of options of one letter, such as `-ho`, of which one lacks its value.
  static func incomplete(
    _ pack: String, missing: OptionError, known: [OptionSyntax]
  ) -> OptionError {
    let (unknown, missing) = (unknown(pack, known: known).message, missing.message)
    return OptionError(
      message: LocalizedText(
        "\(unknown.english)\n   or: \(missing.english) in '\(pack)'",
        "\(unknown.korean)\n   또는: '\(pack)'에서 \(missing.korean)"))
  }

  static func invalidValue(
    _ value: String, _ option: OptionSyntax, _ name: String
  ) -> OptionError {
    let names = option.choices ?? []
    let all = names.map { "'\($0)'" }
    // As the parser of arguments says it, which lists more than five.
    let choices =
      names.count > 5
      ? "the following:" + names.map { "\n  - \($0)" }.joined()
      : [all.dropLast().joined(separator: ", "), all.last ?? ""].joined(separator: " and ") + "."
    let option = "'\(name) <\(option.valueName)>'"
    return OptionError(
      message: LocalizedText(
        "The value '\(value)' is invalid for \(option). Please provide one of \(choices)",
        "\(option) 옵션에 쓸 수 없는 값입니다: '\(value)'. 쓸 수 있는 값: \(names.joined(separator: ", "))"))
  }

  static func unexpectedValue(_ value: String, of name: String) -> OptionError {
    OptionError(
      message: LocalizedText(
        "The option '\(name)' does not take any value, but '\(value)' was specified.",
        "'\(name)' 옵션에는 값을 쓸 수 없습니다: '\(value)'"))
  }

  static func exclusive(_ name: String, earlier: String) -> OptionError {
    OptionError(
      message: LocalizedText(
        "Value to be set with flag '\(name)' had already been set with flag '\(earlier)'",
        "'\(earlier)' 옵션과 '\(name)' 옵션을 함께 쓸 수 없습니다"))
  }
}
