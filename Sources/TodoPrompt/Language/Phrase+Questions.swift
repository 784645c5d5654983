/// What the prompt asks, on standard error.
extension Phrase {
  static func deleteQuestion(_ count: Int) -> Phrase {
    Phrase(
      count == 1 ? "Delete this item? [y/N] " : "Delete these \(count) items? [y/N] ",
      count == 1 ? "이 할일을 삭제할까요? [y/N] " : "할일 \(count)개를 삭제할까요? [y/N] ")
  }

  /// - Parameter count: How many items go with it.
  static func deleteGroupQuestion(_ name: String, _ count: Int) -> Phrase {
    if count == 0 {
      return Phrase(
        "Delete the empty group \"\(name)\"? [y/N] ", "빈 그룹 \"\(name)\"을(를) 삭제할까요? [y/N] ")
    }
    return Phrase(
      "Delete group \"\(name)\" and \(Phrase.items(count).english)? [y/N] ",
      "\"\(name)\" 그룹과 \(Phrase.items(count).korean)를 삭제할까요? [y/N] ")
  }

  /// - Parameter list: The name of the list; nil for all items there are.
  static func deleteAllQuestion(_ list: Phrase?, _ count: Int) -> Phrase {
    let number = Phrase(" Type \(count) to do it: ", " 삭제하려면 숫자 \(count) 입력: ")
    guard let list else {
      return Phrase(
        "Delete all \(items(count).english)?\(number.english)",
        "\(items(count).korean)를 모두 삭제할까요?\(number.korean)")
    }
    return Phrase(
      "Delete \(items(count).english) of \"\(list.english)\"?\(number.english)",
      "\"\(list.korean)\"의 \(items(count).korean)를 삭제할까요?\(number.korean)")
  }

  static let priorityQuestion = Phrase(
    "Priority: [h]igh [n]ormal [l]ow? ", "중요도: [h]높음 [n]보통 [l]낮음? ")
}
