/// What is wrong with the items that a command names. Candidates are lines of id and title.
extension LocalizedText {
  static func notAnItem(_ word: String) -> LocalizedText {
    LocalizedText(
      "\"\(word.visible)\" is no item. Use a number of the list, a range such as 5-7, or an id.",
      "\"\(word.visible)\": 목록의 번호, 5-7 같은 범위, 또는 id를 쓰세요.")
  }

  static func numberWithoutList(_ word: String, candidates: [String]) -> LocalizedText {
    if candidates.isEmpty {
      return LocalizedText(
        "\"\(word.visible)\" is a number in a list, and there are no items.",
        "\"\(word.visible)\"번은 목록의 번호인데, 할일이 없습니다.")
    }
    return LocalizedText(
      "\"\(word.visible)\" is a number in a list, and here no list has numbers yet. Use ls or an id:",
      "\"\(word.visible)\"번은 목록의 번호인데, 여기에는 번호가 있는 목록이 없습니다. ls나 id를 쓰세요:"
    ).followed(by: candidates)
  }

  static func numberOutsideList(_ word: String, count: Int) -> LocalizedText {
    LocalizedText(
      "There is no \(word.visible) in the last list, which ends at \(count).",
      "마지막 목록에 \(word.visible)번이 없습니다. 목록은 \(count)번까지입니다.")
  }

  static func backwardRange(_ word: String) -> LocalizedText {
    LocalizedText(
      "The range \"\(word.visible)\" runs backwards.", "범위 \"\(word.visible)\"의 순서가 거꾸로입니다.")
  }

  static func itemGone(_ word: String) -> LocalizedText {
    LocalizedText("Item \(word.visible) of the list is gone.", "목록의 \(word.visible)번 할일은 이미 없습니다.")
  }

  static func noSuchID(_ word: String) -> LocalizedText {
    LocalizedText(
      "No item's id ends in \"\(word.visible)\".", "id가 \"\(word.visible)\"로 끝나는 할일이 없습니다.")
  }

  static func ambiguousID(_ word: String, candidates: [String]) -> LocalizedText {
    LocalizedText(
      "Several ids end in \"\(word.visible)\". Use a longer ending:",
      "id가 \"\(word.visible)\"로 끝나는 할일이 여럿입니다. 더 길게 쓰세요:"
    ).followed(by: candidates)
  }

  static func onlyOneItem(_ word: String) -> LocalizedText {
    LocalizedText(
      "Only one item can be meant here, and \"\(word.visible)\" names several.",
      "여기에는 할일을 하나만 쓸 수 있습니다. \"\(word.visible)\"은(는) 여럿입니다.")
  }

  static func neitherGroupNorItem(_ word: String, groups: [String]) -> LocalizedText {
    LocalizedText(
      "\"\(word.visible)\" is neither a group nor an item.",
      "\"\(word.visible)\": 그런 그룹도 할일도 없습니다."
    ).followed(by: [.groupsThereAre(groups)])
  }

  /// What moves cannot stand before or after itself.
  static func besideItself(_ name: String) -> LocalizedText {
    LocalizedText(
      "\"\(name)\" cannot be put before or after itself.",
      "\"\(name)\": 자기 자신의 앞이나 뒤로는 옮길 수 없습니다.")
  }

  static func deletingNeedsYes(_ command: String) -> LocalizedText {
    LocalizedText(
      "Nobody can be asked here, so \(command) needs --yes.",
      "여기서는 물어볼 수 없으므로 \(command)에는 --yes가 필요합니다.")
  }
}
