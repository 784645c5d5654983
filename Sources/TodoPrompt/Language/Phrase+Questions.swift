/// What the prompt asks, on standard error.
extension Phrase {
  static func deleteQuestion(_ count: Int) -> Phrase {
    Phrase(
      count == 1 ? "Delete this item? [y/N] " : "Delete these \(count) items? [y/N] ",
      count == 1 ? "이 할일을 삭제할까요? [y/N] " : "할일 \(count)개를 삭제할까요? [y/N] ")
  }

  static let priorityQuestion = Phrase(
    "Priority: [h]igh [n]ormal [l]ow? ", "중요도: [h]높음 [n]보통 [l]낮음? ")
}
