import TodoKit

/// `ls [GROUP] [TERM...]`: prints the items of a list with numbers, in a given order.
///
/// Without an option it prints what is open, as far as the terminal has room, and what was completed
/// last.
struct ListCommand: Command {
  static let name = "ls"
  static let aliases = ["목록"]
  static let synopsis = """
    ls [GROUP|important|none] [TERM|TEXT]... [--undone|--done|--all]
       [--sort manual|created|priority|due|title]
    """
  static let example = "ls important due:today"
  static let summary = LocalizedText(
    "Lists what is open, and what was done last.", "남은 할일과 최근에 완료한 할일을 보여 줍니다.")
  static let details = [LocalizedText.groupsHelp, LocalizedText.termsHelp]
  static let options: [OptionSyntax] = [
    .exclusiveFlags("--undone", "--done", "--all"),
    .value("--sort", valueName: "order", choices: ItemSort.allCases.map(\.rawValue)),
  ]

  /// The words that name a list, or filter it.
  let words: [String]
  /// The items that an option asks for; nil without one.
  let filter: ItemFilter?
  /// The order that an option asks for; nil without one.
  var sort: ItemSort?

  /// A list without an option is as long as the terminal.
  var isPaged: Bool { filter != nil }

  func run(in session: Session) throws {
    var search = try ItemSearch(words, namesList: true, in: session)
    if let sort { search.sort = sort }
    if let filter { search.show(filter) }
    try search.run(in: session)
  }
}

extension ListCommand {
  init(_ input: CommandInput) throws {
    words = input.allWords
    filter =
      switch input.options["--undone"] {
      case "--undone": .undone
      case "--done": .done
      case "--all": .all
      default: nil
      }
    sort = input.options["--sort"].flatMap(ItemSort.init(rawValue:))
  }

  /// The hint for a list without items.
  static func nothingListed(in selected: SelectedList, _ filter: ItemFilter) -> LocalizedText {
    if selected.list == .all { return nothingListed(filter) }
    let name = selected.name.visible
    return switch (filter, selected.list) {
    case (.undone, _):
      LocalizedText(
        "Nothing is open in \"\(name.english)\". Without --undone, ls shows what is completed too.",
        "\"\(name.korean)\"에 남은 할일이 없습니다. --undone 없이 ls를 쓰면 완료한 할일도 보여 줍니다.")
    case (.done, _):
      LocalizedText(
        "Nothing is completed in \"\(name.english)\". Without --done, ls shows what is open too.",
        "\"\(name.korean)\"에 완료한 할일이 없습니다. --done 없이 ls를 쓰면 남은 할일도 보여 줍니다.")
    case (.all, .important):
      LocalizedText(
        "Nothing to show with a star. Try: ls, then star 1",
        "보여 줄 중요한 할일이 없습니다. 예: ls 다음에 star 1")
    case (.all, .all), (.all, .ungrouped):
      LocalizedText("Nothing to show without a group.", "보여 줄 그룹 없는 할일이 없습니다.")
    case (.all, .group):
      LocalizedText(
        """
        Nothing to show in "\(name.english)". Try: add buy milk -g "\(name.english)" --pri normal
        """,
        "\"\(name.korean)\"에 보여 줄 할일이 없습니다. 예: add 우유 사기 -g \"\(name.korean)\" --pri normal")
    }
  }

  private static func nothingListed(_ filter: ItemFilter) -> LocalizedText {
    switch filter {
    case .all:
      LocalizedText(
        "Nothing to do yet. Try: add buy milk --pri normal",
        "아직 할일이 없습니다. 예: add 우유 사기 --pri normal")
    case .undone:
      LocalizedText(
        "Nothing is open. \"ls --done\" shows what is completed.",
        "남은 할일이 없습니다. \"ls --done\"은 완료한 할일을 보여 줍니다.")
    case .done:
      LocalizedText(
        "Nothing is completed yet. Try: ls, then done 1",
        "아직 완료한 할일이 없습니다. 예: ls 다음에 done 1")
    }
  }
}
