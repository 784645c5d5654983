/// What is wrong with the place where the list is kept.
extension LocalizedText {
  static let noHome = LocalizedText(
    "There is no home folder to keep the list in. Use --db PATH, or set HOME.",
    "할일을 둘 홈 폴더가 없습니다. --db PATH를 쓰거나 HOME을 설정하세요.")

  static func noFolder(_ path: String) -> LocalizedText {
    LocalizedText(
      "There is no folder \(path.visible) to keep the list in. Make it first.",
      "할일을 둘 \(path.visible) 폴더가 없습니다. 먼저 만드세요.")
  }
}
