import TodoKit

/// What is said about groups.
extension LocalizedText {
  /// The list of what has a star, which is no group.
  static let important = LocalizedText("Important", "중요")
  /// The list of what belongs to no group.
  static let ungrouped = LocalizedText("No group", "그룹 없음")
  /// The list of everything.
  static let all = LocalizedText("All", "전체")

  static func items(_ count: Int) -> LocalizedText {
    LocalizedText(count == 1 ? "1 item" : "\(count) items", "할일 \(count)개")
  }

  static let noGroups = LocalizedText(
    "No groups yet. Try: group add 집안일", "아직 그룹이 없습니다. 예: group add 집안일")

  static func addedGroup(_ name: String) -> LocalizedText {
    LocalizedText("Added group \"\(name)\"", "그룹 추가 \"\(name)\"")
  }

  /// - Parameters:
  ///   - old: The name it had.
  ///   - color: The colour it was given, if it was.
  static func changedGroup(_ old: String, to new: String, color: String?) -> LocalizedText {
    let name = old == new ? "\"\(new)\"" : "\"\(old)\" -> \"\(new)\""
    let color = color.map { " " + $0 } ?? ""
    return LocalizedText("Changed group \(name)\(color)", "그룹 수정 \(name)\(color)")
  }

  static func movedGroup(_ name: String, _ place: LocalizedText) -> LocalizedText {
    LocalizedText(
      "Moved group \"\(name)\" -> \(place.english)", "그룹 이동 \"\(name)\" -> \(place.korean)")
  }

  /// - Parameter groups: The names of all there are.
  static func noSuchGroup(_ name: String, groups: [String]) -> LocalizedText {
    LocalizedText(
      "There is no group \"\(name.visible)\".", "\"\(name.visible)\" 그룹은 없습니다."
    ).followed(by: [.groupsThereAre(groups)])
  }

  static func ambiguousGroup(_ name: String, groups: [String]) -> LocalizedText {
    LocalizedText(
      "\"\(name.visible)\" may be any of these groups; write its capitals too:",
      "\"\(name.visible)\"은(는) 다음 그룹 가운데 어느 것일 수도 있습니다. 대소문자까지 맞춰 쓰세요:"
    ).followed(by: groups.map { "  " + $0.visible })
  }

  static func groupsThereAre(_ groups: [String]) -> LocalizedText {
    if groups.isEmpty { return noGroups }
    let names = groups.prefix(10).map { "\"\($0.visible)\"" }.joined(separator: ", ")
    let rest = groups.count > 10 ? ", ..." : ""
    return LocalizedText("There is: \(names)\(rest)", "있는 그룹: \(names)\(rest)")
  }

  // What the capabilities of a list refuse, and why.
  static let importantTakesNoItems = LocalizedText(
    "Important shows what has a star; nothing is added to it. Try: star 3",
    "중요 목록은 별표한 할일을 보여 줍니다. 바로 추가할 수 없습니다. 예: star 3")
  static let importantStays = LocalizedText(
    "Important shows what has a star; it cannot be changed, moved or deleted.",
    "중요 목록은 별표한 할일을 보여 줍니다. 바꾸거나 옮기거나 삭제할 수 없습니다.")
}
