import PageServer
import Presentation
import TodoKit

/// The words of the page in one language.
struct PageText: Sendable {
  let language: Language

  func text(_ english: String, _ korean: String) -> String {
    language == .korean ? korean : english
  }

  var all: String { text("All", "전체") }
  var important: String { text("Important", "중요") }
  var ungrouped: String { text("No group", "그룹 없음") }
  var noSuchPage: String { text("There is no such page.", "그런 페이지가 없습니다.") }
  var noSuchItem: String { text("There is no such to-do any more.", "그 할일은 이제 없습니다.") }
  var takesNoItems: String {
    text(
      "This list shows what has a star. Add the to-do to another list, and give it a star.",
      "별표한 할일을 보여 주는 목록입니다. 다른 목록에 추가하고 별표를 하세요.")
  }
  var noSuchAction: String { text("This page has no such action.", "이 페이지에 없는 동작입니다.") }
  var lists: String { text("Lists", "목록") }
  var completed: String { text("Completed", "완료됨") }
  var add: String { text("Add", "추가") }
  var addLabel: String { text("New to-do", "새 할일") }
  var addHint: String {
    text("buy milk @home due:tomorrow !high #shop", "우유 사기 @집안일 due:내일 !high #장보기")
  }
  var newGroup: String { text("New group", "새 그룹") }
  var noGroup: String { text("No such group", "없는 그룹") }
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
  var unsaved: String {
    text(
      "The server does not answer. This may not have been saved.",
      "서버가 응답하지 않습니다. 저장되지 않았을 수 있습니다.")
  }
  var isSorted: String {
    text(
      "This list is sorted. Choose the order \"\(orderName("manual"))\" to move to-dos.",
      "정렬된 목록입니다. 할일을 옮기려면 순서에서 \"\(orderName("manual"))\"을 고르세요.")
  }
  var linkNeeded: String {
    text("This address needs a link that was not used yet.", "아직 쓰지 않은 링크로 열어야 합니다.")
  }
  var howToGetALink: String {
    text("For a new one, run this on the same machine:", "같은 컴퓨터에서 이렇게 하면 새 링크가 나옵니다:")
  }
  var orInAClone: String { text("or, in a clone:", "저장소 안에서는 이렇게 합니다:") }
  var earlier: String { text("Earlier to-dos", "앞의 할일") }
  var later: String { text("More to-dos", "뒤의 할일") }
  var done: String { text("Done", "완료") }
  var star: String { text("Star", "별표") }
  var edit: String { text("Edit", "편집") }
  var finish: String { text("Done", "완료") }
  var deleteAll: String { text("Delete all…", "모두 삭제…") }
  var details: String { text("Details", "자세히") }
  var view: String { text("View of groups", "그룹 보기") }
  var theme: String { text("Theme", "테마") }
  var languageName: String { text("Language", "언어") }
  var shortcuts: String { text("Keyboard shortcuts", "단축키") }
  var first: String { text("Add the first one", "첫 할일 추가하기") }
  var sheet: String { text("Dialog", "대화 상자") }
  var ok: String { text("OK", "확인") }
  var close: String { text("Close", "닫기") }
  var on: String { text("On", "켜기") }
  var off: String { text("Off", "끄기") }
  var keysEverywhere: String { text("Keys n, / and ?", "n, /, ? 키") }
  var priority: String { text("Priority", "중요도") }
  var noPriority: String { text("None", "없음") }
  var due: String { text("Due day", "마감일") }
  var time: String { text("Time", "시각") }
  var repeats: String { text("Repeats", "반복") }
  var hiddenUntil: String { text("Hidden until", "숨김") }
  var estimate: String { text("Takes", "예상 시간") }
  var plan: String { text("Repeats, hidden until, takes", "반복, 숨김, 예상 시간") }
  var planHint: String { text("every:week wait:mon est:1h", "매주:토 숨김:내일 예상:30분") }
  var tag: String { text("Tag", "태그") }
  var group: String { text("Group", "그룹") }
  var tags: String { text("Tags, with commas between them", "태그 (쉼표로 나눔)") }
  var note: String { text("Note", "메모") }
  var hasNote: String { text("Note", "메모") }
  var newItem: String { text("New to-do with all fields", "모든 항목을 채워 추가") }
  var editItem: String { text("Details", "자세히") }
  var deleteItem: String { text("Delete this to-do", "이 할일 삭제") }
  var editGroup: String { text("Edit group", "그룹 편집") }
  var newGroupForm: String { text("New group with a picture", "그림이 있는 새 그룹") }
  var groupName: String { text("Name", "이름") }
  var color: String { text("Color", "색") }
  var picture: String { text("Picture", "그림") }
  var file: String { text("Picture file", "그림 파일") }
  var titles: String {
    text("First to-dos, at least one: a title on each line", "첫 할일 (하나 이상, 한 줄에 제목 하나씩)")
  }
  var path: String { text("Where you are", "현재 위치") }
  var notAColor: String {
    text(
      "This is not a colour. Write it as #ff8800.", "색이 아닙니다. #ff8800처럼 쓰세요.")
  }
  var notAPicture: String {
    text(
      "This file is not a picture. Use PNG, JPEG, GIF or WebP.",
      "그림 파일이 아닙니다. PNG, JPEG, GIF, WebP를 쓰세요.")
  }
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

  func hidden(_ count: Int) -> String {
    text("\(count) hidden until a day", "\(count)개는 정한 날까지 숨김")
  }

  func noSuchGroup(_ name: String) -> String {
    text("There is no group \"\(name)\" yet.", "\"\(name)\" 그룹이 아직 없습니다.")
  }

  func typeCount(_ count: Int) -> String {
    text("Type \(count) to delete them:", "삭제하려면 숫자 \(count) 입력:")
  }

  func askToDeleteAll(_ count: Int) -> String {
    text(
      "Delete all \(count) \(count == 1 ? "to-do" : "to-dos") of this list?",
      "이 목록의 할일 \(count)개를 모두 삭제할까요?")
  }

  func named(_ name: String) -> String {
    text("Saved as \"\(name)\".", "\"\(name)\" 이름으로 저장했습니다.")
  }

  func rule(_ rule: RepeatRule) -> String {
    text("every \(rule.rawValue)", rule.koreanWords)
  }

  /// The name of a day near today; the day itself for others.
  func day(_ day: CalendarDay, today: CalendarDay) -> String {
    switch day.number - today.number {
    case -1: text("Yesterday", "어제")
    case 0: text("Today", "오늘")
    case 1: text("Tomorrow", "내일")
    default: "\(day)"
    }
  }

  func themeName(_ theme: PageTheme) -> String {
    switch theme {
    case .automatic: text("Auto", "자동")
    case .light: text("Light", "밝게")
    case .dark: text("Dark", "어둡게")
    }
  }

  func viewName(_ view: ListAddress.GroupView) -> String {
    switch view {
    case .list: text("List", "목록")
    case .grid: text("Grid", "격자")
    }
  }

  func pictureName(_ picture: GroupFields.Picture) -> String {
    switch picture {
    case .kept: text("As it is", "그대로")
    case .drawn: text("Drawn", "그린 무늬")
    case .random: text("A dog or a cat", "개나 고양이 사진")
    case .file: text("From a file", "파일에서")
    case .none: text("None", "없음")
    }
  }

  func fieldName(_ name: ItemFields.Name) -> String {
    switch name {
    case .title: title
    case .priority: priority
    case .due: due
    case .dueTime: time
    case .group: group
    case .plan: plan
    case .tags: tag
    case .note: note
    }
  }

  /// A value of a field that another program has changed since the form was opened.
  func conflict(_ field: String, now: String, wanted: String) -> String {
    text(
      "\(field): it is \"\(now)\" now, and you wanted \"\(wanted)\".",
      "\(field): 지금은 \"\(now)\"이고, 쓰신 것은 \"\(wanted)\"입니다.")
  }

  var tooLarge: String {
    text("That is too long to be sent.", "보내기에는 너무 깁니다.")
  }

  func pictureTooLarge(megabytes: Int) -> String {
    text(
      "The picture is too large: the maximum is \(megabytes) MB.",
      "그림이 너무 큽니다. 최대 \(megabytes)MB입니다.")
  }

  var tooMany: String {
    text("Too many pages are open.", "열린 페이지가 너무 많습니다.")
  }

  var conflicts: String {
    text(
      "It has changed since you opened it. Save again to keep what you wrote.",
      "여신 뒤에 바뀌었습니다. 쓰신 대로 두려면 다시 저장하세요.")
  }

  var grammar: String {
    text(
      "A new to-do can say everything in one line: buy milk @home due:tomorrow !high #shop",
      "새 할일은 한 줄에 모두 쓸 수 있습니다: 우유 사기 @집안일 due:내일 !high #장보기")
  }

  /// The keys and what they do.
  var keys: [(keys: [String], what: String)] {
    [
      (["n", "/"], text("Write a new to-do", "새 할일 쓰기")),
      (["↑", "↓", "k", "j"], text("Go to another to-do", "다른 할일로 가기")),
      (["Esc", "↓"], text("Leave the field for a new to-do", "새 할일 칸에서 나가기")),
      (["Enter", "e"], text("Change its title", "제목 바꾸기")),
      (["x"], text("Done, or open again", "완료하거나 다시 열기")),
      (["s"], text("Star", "별표")),
      (["1", "2", "3", "0"], text("High, normal, low, no priority", "중요도 높음, 보통, 낮음, 없음")),
      (["o"], text("Details", "자세히")),
      (["Delete"], text("Delete", "삭제")),
      (["Alt+↑", "Alt+↓"], text("Move up or down", "위나 아래로 옮기기")),
      (["Alt+Shift+↑", "Alt+Shift+↓"], text("Move to another group", "다른 그룹으로 옮기기")),
      (["Ctrl+Z", "Ctrl+Shift+Z"], text("Undo, redo", "되돌리기, 다시 하기")),
      (["?"], text("This list", "이 목록")),
    ]
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

  /// Whether other machines can get all changes of a shared list.
  func shared(unsent: Int) -> String {
    switch unsent {
    case 0: text("Shared: all changes are sent.", "공유 중: 모두 보냈습니다.")
    case 1: text("Shared: 1 change is not sent yet.", "공유 중: 아직 보내지 않은 변경 1개")
    default:
      text(
        "Shared: \(unsent) changes are not sent yet.", "공유 중: 아직 보내지 않은 변경 \(unsent)개")
    }
  }

  /// What undo or redo has left as it is; nil where it has left nothing.
  func leftAlone(_ left: LeftAlone) -> String? {
    let names = (left.items.map(\.title) + left.groups.map(\.name)).map { "\"\($0.shown)\"" }
    var sentences: [String] = []
    if !names.isEmpty {
      let few = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
      sentences.append(
        text(
          "Left as it is, for another machine changed it since: \(few).",
          "다른 컴퓨터에서 바꾸어 그대로 두었습니다: \(few)."))
    }
    if left.missing > 0 {
      sentences.append(
        text(
          "Deleted on another machine since: \(left.missing).",
          "다른 컴퓨터에서 삭제했습니다: \(left.missing)개."))
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
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
