struct QuitCommand: WordlessCommand {
  static let name = "quit"
  static let aliases = ["exit", "q", ".quit", ".exit", "종료", "나가기", "끝"]
  static let summary = LocalizedText("Leaves the prompt, or ends a script.", "프롬프트나 스크립트를 끝냅니다.")

  func run(in session: Session) { session.end() }
}
