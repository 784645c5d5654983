/// What the prompt asks, on standard error.
extension LocalizedText {
  static func deleteQuestion(_ count: Int) -> LocalizedText {
    LocalizedText(
      count == 1 ? "Delete this item? [y/N] " : "Delete these \(count) items? [y/N] ",
      count == 1 ? "이 할일을 삭제할까요? [y/N] " : "할일 \(count)개를 삭제할까요? [y/N] ")
  }

  /// - Parameter count: How many items go with it.
  static func deleteGroupQuestion(_ name: String, _ count: Int) -> LocalizedText {
    if count == 0 {
      return LocalizedText(
        "Delete the empty group \"\(name)\"? [y/N] ", "빈 그룹 \"\(name)\"을(를) 삭제할까요? [y/N] ")
    }
    return LocalizedText(
      "Delete group \"\(name)\" and \(LocalizedText.items(count).english)? [y/N] ",
      "\"\(name)\" 그룹과 \(LocalizedText.items(count).korean)를 삭제할까요? [y/N] ")
  }

  /// - Parameter list: The name of the list; nil for all items there are.
  static func deleteAllQuestion(_ list: LocalizedText?, _ count: Int) -> LocalizedText {
    let number = LocalizedText(" Type \(count) to do it: ", " 삭제하려면 숫자 \(count) 입력: ")
    guard let list else {
      return LocalizedText(
        "Delete all \(items(count).english)?\(number.english)",
        "\(items(count).korean)를 모두 삭제할까요?\(number.korean)")
    }
    return LocalizedText(
      "Delete \(items(count).english) of \"\(list.english)\"?\(number.english)",
      "\"\(list.korean)\"의 \(items(count).korean)를 삭제할까요?\(number.korean)")
  }

  static let priorityQuestion = LocalizedText(
    "Priority: [h]igh [n]ormal [l]ow? ", "중요도: [h]높음 [n]보통 [l]낮음? ")
}
