struct ViewCommand: Command {
  static let name = "view"
  static let aliases = ["보기"]
  static let synopsis = "view [cards|table]"
  static let example = "view cards"
  static let summary = LocalizedText(
    "Shows lists as cards or as a table.", "목록을 카드나 표로 보여 줍니다.")
  static let details = [
    LocalizedText(
      "  Cards have a group's colour and progress, and whole titles. The setting \"view\" keeps it.",
      "  카드에는 그룹의 색과 진행률, 제목 전체가 나옵니다. \"view\" 설정에 남습니다. 보기 카드, 보기 표도 됩니다.")
  ]
  static let actions = ListView.allCases.map(\.rawValue).sorted()

  /// The view to show lists in; nil to tell which one it is.
  let view: ListView?

  func run(in session: Session) throws {
    if let view { session.keep(.view, as: view.rawValue) }
    switch session.config.view {
    case .table: session.say("Lists are a table.", "목록을 표로 보여 줍니다.")
    case .cards: session.say("Lists are cards.", "목록을 카드로 보여 줍니다.")
    }
  }

  init(_ input: CommandInput) throws {
    guard let word = try input.onlyWord() else {
      view = nil
      return
    }
    guard let view = ListView(word: word) else {
      throw CommandError(
        "view is cards or table, not \"\(word.visible)\". show ITEM shows an item.",
        """
        view 뒤에는 cards(카드)나 table(표)만 쓸 수 있습니다: "\(word.visible)". 할일은 자세히로 볼 수 \
        있습니다.
        """, .usage)
    }
    self.view = view
  }
}

extension Session {
  /// Stores a setting; if the file cannot be written, only for the session, and with a hint.
  func keep(_ key: Config.Key, as value: String) {
    do {
      config = try config.setting(key, to: value)
    } catch {
      config = config.keeping(key, as: value)
      let reason = CommandError(error).message
      hint(
        "Only until the end of this session: \(reason.english)", "이번에만 그렇게 합니다: \(reason.korean)")
    }
  }
}
