import TodoKit

struct FindCommand: Command {
  static let name = "find"
  static let aliases = ["찾기", "검색"]
  static let synopsis = "find TERM|TEXT... [--sort manual|created|priority|due|title]"
  static let example = "find milk is:open"
  static let summary = LocalizedText(
    "Finds items by words, tags, days and more.", "낱말, 태그, 날짜 등으로 할일을 찾습니다.")
  static let details = [LocalizedText.termsHelp]
  static let options: [OptionSyntax] = [
    .value("--sort", valueName: "order", choices: ItemSort.allCases.map(\.rawValue))
  ]

  let words: [String]
  /// The words after `--`, which are text in any case.
  let literalWords: [String]
  var sort = ItemSort.manual

  var isPaged: Bool { true }

  func run(in session: Session) throws {
    var search = try ItemSearch(words, namesList: false, in: session)
    search.add(texts: literalWords)
    search.sort = sort
    search.show(.all)
    try search.run(in: session)
  }
}

extension FindCommand {
  init(_ input: CommandInput) throws {
    words = input.words
    literalWords = input.literalWords
    if input.allWords.isEmpty { throw CommandError(.needsMore(Self.self), .usage) }
    sort = input.options["--sort"].flatMap(ItemSort.init(rawValue:)) ?? .manual
  }
}
