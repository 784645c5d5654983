import Croft
import CroftSync
import Foundation
import TodoKit

/// What was decided about changes of two machines, as a sentence.
struct EventSentence {
  /// The title or the name of an object; nil where it is not known.
  let name: (UUID) throws -> String?
  /// The text of a moment.
  let time: (Date) -> String

  /// The sentence of an event; nil for one that nobody needs to know, such as of an order.
  func text(_ event: SyncEvent) throws -> SyncText? {
    if event.kind == .gaveBack {
      return SyncText(
        "The server had lost \(event.count) changes, which this machine gave back.",
        "서버가 잃은 변경 \(event.count)개를 이 컴퓨터가 돌려주었습니다.")
    }
    if event.kind == .setAside, event.model == nil {
      return SyncText(
        "Another machine wrote objects of a kind that this program does not have; update it.",
        "다른 컴퓨터가 이 프로그램에 없는 종류의 것을 썼습니다. 업데이트하세요.")
    }
    let group = event.key(of: TodoGroup.self)
    let isGroup = group != nil
    let title = try (group ?? event.key(of: TodoItem.self)).flatMap(name).map {
      "\"\($0.printable)\""
    }
    let object = SyncText(
      title ?? (isGroup ? "A group" : "A to-do"), title ?? (isGroup ? "그룹 하나" : "할일 하나"))
    switch event.kind {
    case .overwritten: return overwritten(event, object)
    case .objectGone:
      return SyncText(
        "\(object.english) was deleted on another machine; your change of it is gone.",
        "\(object.korean): 다른 컴퓨터에서 삭제하여 여기서 바꾼 것은 사라졌습니다.")
    case .adopted:
      return SyncText(
        "\(object.english) was made on another machine too; the two are one now.",
        "\(object.korean): 다른 컴퓨터에도 있어 하나로 합쳤습니다.")
    case .dropped:
      return SyncText(
        "\(object.english) was dropped: its group was deleted on another machine.",
        "\(object.korean): 다른 컴퓨터에서 그룹을 삭제하여 사라졌습니다.")
    case .cascaded:
      return SyncText(
        "\(object.english) was added on another machine to a group that you deleted, and went with it.",
        "\(object.korean): 여기서 삭제한 그룹에 다른 컴퓨터가 추가하여 함께 삭제했습니다.")
    case .reverted:
      return SyncText(
        "\(object.english): a change of yours was taken back, because another machine excludes it.",
        "\(object.korean): 다른 컴퓨터의 변경과 맞지 않아 여기서 바꾼 것을 취소했습니다.")
    case .denied, .restored:
      return SyncText(
        "\(object.english) is there again, because another machine needs it.",
        "\(object.korean): 다른 컴퓨터가 쓰고 있어 다시 있습니다.")
    case .setAside:
      return SyncText(
        "\(object.english) is hidden: it has something that this program cannot read; update it.",
        "\(object.korean): 이 프로그램이 읽을 수 없는 것이 있어 숨겼습니다. 업데이트하세요.")
    case .gaveBack: return nil
    }
  }

  private func overwritten(_ event: SyncEvent, _ object: SyncText) -> SyncText? {
    guard let field = event.field, let words = Self.fields[field] else { return nil }
    let when = event.time.map(time)
    let yours = event.mine.flatMap(Self.text)
    return SyncText(
      "\(object.english): the \(words.english) was changed on another machine"
        + (when.map { " at \($0)" } ?? "") + (yours.map { "; yours was \($0.english)." } ?? "."),
      "\(object.korean): 다른 컴퓨터에서 \(when.map { "\($0)에 " } ?? "")\(words.korean) 값을 바꾸었습니다."
        + (yours.map { " 여기서는 \($0.korean)였습니다." } ?? ""))
  }

  /// The fields that people know; the others follow from them.
  private static let fields: [String: SyncText] = [
    "title": SyncText("title", "제목"), "name": SyncText("name", "이름"),
    "note": SyncText("note", "메모"), "priority": SyncText("priority", "중요도"),
    "isDone": SyncText("completion", "완료"), "isImportant": SyncText("star", "별표"),
    "group": SyncText("group", "그룹"), "due": SyncText("due day", "기한"),
    "dueTime": SyncText("due time", "기한 시각"), "repeats": SyncText("recurrence", "반복"),
    "estimate": SyncText("estimate", "예상 시간"), "hiddenUntil": SyncText("waiting", "숨김"),
    "tags": SyncText("tags", "태그"), "color": SyncText("colour", "색"),
    "image": SyncText("picture", "사진"),
  ]

  /// The values that are shown; others are numbers that mean nothing to people.
  private static func text(_ value: StoredValue) -> SyncText? {
    switch value {
    case .string(let text): SyncText("\"\(text.printable)\"", "\"\(text.printable)\"")
    case .bool(let isTrue): SyncText(isTrue ? "yes" : "no", isTrue ? "예" : "아니요")
    case .none: SyncText("empty", "빈 값")
    default: nil
    }
  }
}

extension String {
  /// The text without characters that steer a terminal.
  fileprivate var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
  }
}
