import Presentation
import TodoKit

/// What stands in and around lists.
extension LocalizedText {
  static let completed = LocalizedText("Completed", "완료됨")

  /// The letter is the one that `!h` and its kin take; in English it is the first one anyway.
  static func priority(_ priority: Priority) -> LocalizedText {
    let english = priority.word(in: .english)
    let letter = priority == .none ? "" : "/\(english.prefix(1).uppercased())"
    return LocalizedText(english, priority.word(in: .korean) + letter)
  }

  /// What there is to do when a list shows nothing.
  static func nothingListed(in selected: SelectedList, _ filter: ItemFilter) -> LocalizedText {
    if selected.list == .all { return nothingListed(filter) }
    switch filter {
    case .all: break
    case .undone: return nothingOpen(in: selected.name.visible)
    case .done: return nothingCompleted(in: selected.name.visible)
    }
    return switch selected.list {
    case .important: nothingImportant
    case .all, .ungrouped: nothingUngrouped
    case .group: nothing(inGroup: (selected.group?.name ?? "").visible)
    }
  }

  private static func nothingListed(_ filter: ItemFilter) -> LocalizedText {
    switch filter {
    case .all:
      LocalizedText(
        "Nothing to do yet. Try: add buy milk --pri normal",
        "아직 할일이 없습니다. 예: add 우유 사기 --pri normal")
    case .undone:
      LocalizedText(
        "Nothing is open. \"ls --done\" shows what is completed.",
        "남은 할일이 없습니다. \"ls --done\"은 완료한 할일을 보여 줍니다.")
    case .done:
      LocalizedText(
        "Nothing is completed yet. Try: ls, then done 1",
        "아직 완료한 할일이 없습니다. 예: ls 다음에 done 1")
    }
  }

  private static func nothingOpen(in list: LocalizedText) -> LocalizedText {
    LocalizedText(
      "Nothing is open in \"\(list.english)\". Without --undone, ls shows what is completed too.",
      "\"\(list.korean)\"에 남은 할일이 없습니다. --undone 없이 ls를 쓰면 완료한 할일도 보여 줍니다.")
  }

  private static func nothingCompleted(in list: LocalizedText) -> LocalizedText {
    LocalizedText(
      "Nothing is completed in \"\(list.english)\". Without --done, ls shows what is open too.",
      "\"\(list.korean)\"에 완료한 할일이 없습니다. --done 없이 ls를 쓰면 남은 할일도 보여 줍니다.")
  }

  /// - Parameter name: The group's name.
  private static func nothing(inGroup name: String) -> LocalizedText {
    LocalizedText(
      "Nothing to show in \"\(name)\". Try: add buy milk -g \"\(name)\" --pri normal",
      "\"\(name)\"에 보여 줄 할일이 없습니다. 예: add 우유 사기 -g \"\(name)\" --pri normal")
  }

  private static let nothingImportant = LocalizedText(
    "Nothing to show with a star. Try: ls, then star 1",
    "보여 줄 중요한 할일이 없습니다. 예: ls 다음에 star 1")

  private static let nothingUngrouped = LocalizedText(
    "Nothing to show without a group.", "보여 줄 그룹 없는 할일이 없습니다.")

  static func welcome(open: Int, completed: Int) -> LocalizedText {
    LocalizedText(
      "\(open) open, \(completed) completed. \"help\" lists the verbs, ^D leaves.",
      "할일 \(open)개, 완료 \(completed)개. \"help\"는 명령 목록, ^D는 종료입니다.")
  }

  static let howToLeave = LocalizedText("^D or \"quit\" leaves.", "^D 또는 \"quit\"으로 나갑니다.")
}
