struct AgendaCommand: ListingCommand {
  static let name = "agenda"
  static let aliases = ["일정"]
  static let synopsis = "agenda [GROUP|important|none] [TERM|TEXT]..."
  static let example = "agenda @home"
  static let summary = LocalizedText(
    "Lists what is overdue and due today.", "지난 할일과 오늘까지인 할일을 보여 줍니다.")
  static let details = [LocalizedText.groupsHelp, LocalizedText.termsHelp]

  let words: [String]

  var isPaged: Bool { true }

  func run(in session: Session) throws {
    var search = try ItemSearch(words, namesList: true, in: session)
    search.showAgenda()
    try search.run(in: session)
  }
}
