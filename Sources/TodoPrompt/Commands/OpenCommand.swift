struct OpenCommand: Command {
  static let name = "open"
  static let aliases = ["cd", "들어가기", "열기"]
  static let synopsis = "open GROUP"
  static let example = "open home"
  static let summary = LocalizedText("Goes into a group.", "그룹으로 들어갑니다.")
  static let details = [
    LocalizedText(
      "  There add, ls, find and clear are about the group. back, .. or ^D leaves it.",
      "  그 안에서는 add, ls, find, clear가 그 그룹에 대한 것입니다. back, .., ^D로 나옵니다."),
    LocalizedText.groupsHelp,
  ]

  let group: String

  func run(in session: Session) throws {
    session.openGroup = try session.groups().group(group)
  }

  init(_ input: CommandInput) throws {
    let need = LocalizedText("a group", "그룹이")
    group = try Self.targets(in: input.allWords, need: need).joined(separator: " ")
  }
}

struct BackCommand: WordlessCommand {
  static let name = "back"
  static let aliases = ["..", "뒤로"]
  static let summary = LocalizedText("Leaves the group.", "그룹에서 나옵니다.")

  func run(in session: Session) throws {
    guard session.openGroup != nil else {
      throw CommandError(
        "No group is open. open GROUP goes into one, and quit leaves.",
        "들어가 있는 그룹이 없습니다. open GROUP으로 들어가고 quit으로 끝냅니다.")
    }
    session.openGroup = nil
  }
}
