import TodoKit

/// `clear [GROUP] [TERM...]`: deletes the completed items of a list.
///
/// It asks as `rm` does, and one undo brings all of them back.
struct ClearCommand: ListingCommand {
  static let name = "clear"
  static let aliases = ["비우기", "정리"]
  static let synopsis = "clear [GROUP|important|none] [TERM]... [--yes]"
  static let example = "clear"
  static let summary = LocalizedText(
    "Deletes what is completed; asks for 3 or more.", "완료한 할일을 삭제합니다. 셋부터 묻습니다.")
  static let details = [LocalizedText.groupsHelp, LocalizedText.termsHelp]

  let words: [String]

  func run(in session: Session) throws {
    let search = try ItemSearch(words, namesList: true, in: session)
    let items = try search.completedItems(in: session)
    if items.isEmpty {
      return try session.sayNothing(
        LocalizedText("Nothing is completed there.", "거기에는 완료한 할일이 없습니다."))
    }
    try RemoveCommand.delete(
      items.map { SelectedItem(item: $0, number: session.listed.number(of: $0.id)) },
      command: Self.name, in: session)
  }
}
