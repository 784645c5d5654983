import TodoKit

/// `repair`: makes a list usable that was not closed and whose journal is lost.
///
/// It says what would be given up, and asks. A list that opens has no need of it, and one with damaged pages is
/// left as it is.
struct RepairCommand: WordlessCommand {
  static let name = "repair"
  static let aliases = ["복구"]
  static let synopsis = "repair [--yes]"
  static let summary = LocalizedText(
    "Gives up a journal that is lost; asks first.", "잃어버린 저널을 포기합니다. 먼저 묻습니다.")
  static let details = [
    LocalizedText(
      """
        For a list that was not closed and cannot be opened, because the file with -journal after its name is \
      missing or belongs to another state of it. The list is taken as its file has it, once all of it was checked.
      """,
      """
        닫히지 않은 목록의 이름 뒤에 -journal이 붙은 파일이 없거나 맞지 않아 열 수 없을 때 씁니다. 파일 전체를 검사한 \
      뒤 파일에 있는 그대로 씁니다.
      """)
  ]

  func run(in session: Session) throws {
    try session.requireList()
    let path = try session.storePath()
    guard try Self.lacksJournal(in: session) else {
      return session.say(
        "The list opens; there is nothing to repair.", "목록이 열립니다. 복구할 것이 없습니다.")
    }
    if !session.preferences.assumesYes { session.hint(Self.loss(of: path)) }
    try session.confirm(Self.question, command: Self.name, refusal: .nothingRepaired)
    try session.environment.repairFile(path)
    let items = try session.repository().tally(of: .all).total
    session.say(
      "Repaired the list: it has \(items) \(items == 1 ? "item" : "items").",
      "목록을 복구했습니다: \(LocalizedText.items(items).korean)")
  }

  /// Whether the list cannot be opened because its journal is lost; throws where it cannot for another reason.
  private static func lacksJournal(in session: Session) throws -> Bool {
    do {
      _ = try session.repository()
      return false
    } catch let error as TodoError where error.isLossOfJournal {
      return true
    }
  }

  private static let question = LocalizedText(
    "Give these changes up? [y/N] ", "이 변경을 포기할까요? [y/N] ")

  private static func loss(of path: String) -> LocalizedText {
    LocalizedText(
      """
      The last changes of the list are in \(path.visible)-journal, which is missing or belongs to another state \
      of it.
      If you have that file, or a copy of the list, put it back instead.
      A repair gives up the changes that the list's own file lacks; after a power cut older ones may be lost, too.
      """,
      """
      목록의 마지막 변경은 \(path.visible)-journal에 있는데, 없거나 이 목록과 맞지 않습니다.
      그 파일이나 목록의 복사본이 있으면 대신 제자리에 두세요.
      복구하면 목록 파일에 없는 변경을 포기합니다. 정전 뒤라면 더 오래된 변경도 빠질 수 있습니다.
      """)
  }
}

extension LocalizedText {
  fileprivate static let nothingRepaired = LocalizedText(
    "Nothing was changed.", "아무것도 바꾸지 않았습니다.")
}
