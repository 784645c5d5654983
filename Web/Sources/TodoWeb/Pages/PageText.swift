import Presentation

/// The words of the page in one language.
struct PageText: Sendable {
  let language: Language

  private func text(_ english: String, _ korean: String) -> String {
    language == .korean ? korean : english
  }

  var all: String { text("All", "전체") }
  var important: String { text("Important", "중요") }
  var ungrouped: String { text("No group", "그룹 없음") }
  var noSuchList: String { text("There is no such list.", "그런 목록이 없습니다.") }
  var noSuchAction: String { text("This page has no such action.", "이 페이지에 없는 동작입니다.") }
  var lists: String { text("Lists", "목록") }
  var completed: String { text("Completed", "완료됨") }
  var add: String { text("Add", "추가") }
  var addLabel: String { text("New to-do", "새 할일") }
  var addHint: String {
    text("buy milk @home due:tomorrow !high #shop", "우유 사기 @집안일 due:내일 !high #장보기")
  }
  var newGroup: String { text("New group", "새 그룹") }
  var rename: String { text("Rename", "이름 바꾸기") }
  var deleteGroup: String { text("Delete group", "그룹 삭제") }
  var delete: String { text("Delete", "삭제") }
  var save: String { text("Save", "저장") }
  var cancel: String { text("Cancel", "취소") }
  var back: String { text("Back to the list", "목록으로") }
  var undo: String { text("Undo", "되돌리기") }
  var redo: String { text("Redo", "다시 하기") }
  var empty: String { text("Nothing here yet.", "아직 할일이 없습니다.") }
  var reconnecting: String { text("Reconnecting…", "다시 연결하는 중…") }
  var linkNeeded: String {
    text("This address needs a link that was not used yet.", "아직 쓰지 않은 링크로 열어야 합니다.")
  }
  var howToGetALink: String {
    text("For a new one, run this on the same machine:", "같은 컴퓨터에서 이렇게 하면 새 링크가 나옵니다:")
  }
  var dismiss: String { text("Dismiss", "닫기") }
  var earlier: String { text("Earlier to-dos", "앞의 할일") }
  var later: String { text("More to-dos", "뒤의 할일") }
  var done: String { text("Done", "완료") }
  var star: String { text("Star", "별표") }
  var up: String { text("Move up", "위로") }
  var down: String { text("Move down", "아래로") }
  var title: String { text("Title", "제목") }
  var skip: String { text("To the list", "목록으로 건너뛰기") }
  var order: String { text("Order", "순서") }
  var makeGroup: String { text("Make the group and add", "그룹을 만들고 추가") }

  func orderName(_ name: String) -> String {
    switch name {
    case "due": text("Due", "마감일")
    case "created": text("Newest", "최신")
    case "priority": text("Priority", "중요도")
    case "title": text("Title", "제목")
    default: text("By hand", "직접")
    }
  }

  func count(open: Int, total: Int) -> String {
    text("\(open) open of \(total)", "\(total)개 가운데 \(open)개 남음")
  }

  func noSuchGroup(_ name: String) -> String {
    text("There is no group \"\(name)\" yet.", "\"\(name)\" 그룹이 아직 없습니다.")
  }

  func askToDelete(_ title: String) -> String {
    text("Delete \"\(title)\"?", "\"\(title)\" 할일을 삭제할까요?")
  }

  func askToDeleteGroup(_ name: String, count: Int) -> String {
    text(
      "Delete group \"\(name)\" and \(count) \(count == 1 ? "to-do" : "to-dos")?",
      "\"\(name)\" 그룹과 할일 \(count)개를 삭제할까요?")
  }

  func conflict(now: String, wanted: String) -> String {
    text(
      "It has changed since: it is \"\(now)\" now, and you wanted \"\(wanted)\".",
      "그동안 바뀌었습니다. 지금은 \"\(now)\"이고, 쓰신 것은 \"\(wanted)\"입니다.")
  }

  func said(_ what: FormAction.Said) -> String {
    switch what {
    case .done: text("Done.", "완료했습니다.")
    case .reopened: text("Open again.", "다시 열었습니다.")
    case .starred: text("Starred.", "별표했습니다.")
    case .unstarred: text("The star is gone.", "별표를 지웠습니다.")
    case .deleted: text("Deleted.", "삭제했습니다.")
    case .changed: text("Changed.", "바꾸었습니다.")
    case .moved: text("Moved.", "옮겼습니다.")
    case .added: text("Added.", "추가했습니다.")
    case .undone: text("Undone.", "되돌렸습니다.")
    case .redone: text("Done again.", "다시 했습니다.")
    }
  }
}
