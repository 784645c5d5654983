import TodoKit

/// `ls [GROUP]`: prints the items of a list with numbers, in an order of choice.
struct ListCommand: Command {
  static let name = "ls"
  static let aliases = ["목록"]
  static let synopsis = """
    ls [GROUP|important|none] [--undone|--done|--all]
       [--sort manual|created|priority|due|title]
    """
  static let example = "ls important --undone"
  static let summary = LocalizedText(
    "Lists items, open ones first.", "할일을 보여 줍니다. 남은 것이 먼저입니다.")
  static let details = [LocalizedText.groupsHelp]
  static let options: [OptionSyntax] = [
    .exclusiveFlags("--undone", "--done", "--all"),
    .value("--sort", valueName: "order", choices: ItemSort.allCases.map(\.rawValue)),
  ]

  /// The name of the list; nil for all items.
  let list: String?
  let filter: ItemFilter
  var sort = ItemSort.manual

  func run(in session: Session) throws(CommandError) {
    let selected = try session.selectList(list)
    let items = try session.read { repository throws in
      try repository.items(in: selected.list, filter, sortedBy: sort)
    }
    session.listed = ListedItems(items.map(\.id))
    if let format = session.preferences.output.records {
      try session.say(items, numbers: Array(1...max(1, items.count)), as: format)
    } else {
      try session.sayTable(items, in: selected.list)
    }
    if items.isEmpty { session.hint(Self.nothingListed(in: selected, filter)) }
  }
}

extension ListCommand {
  init(_ input: CommandInput) throws(CommandError) {
    list = input.allWords.isEmpty ? nil : input.allWords.joined(separator: " ")
    filter =
      switch input.options["--undone"] {
      case "--undone": .undone
      case "--done": .done
      default: .all
      }
    sort = input.options["--sort"].flatMap(ItemSort.init(rawValue:)) ?? .manual
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
