public import Presentation

extension MessageCatalog {
  /// Everything this module has to tell people, in Korean and English.
  public static func todo(in language: Language) -> MessageCatalog {
    var catalog = MessageCatalog.standard(in: language)
    catalog.addIssues()
    catalog.addErrors()
    StoreCause.addTexts(to: &catalog)
    return catalog
  }

  /// The message for the user about an error that a repository threw.
  ///
  /// An error of another module is described by its own description.
  public func message(for error: any Error) -> String {
    switch error {
    case TodoError.noImage(let failure):
      message(.noImage, params: ["reason": .text(failure.text(in: language))])
    case let error as any CodedError: message(error.code, params: error.params)
    case let issue as ValidationIssue: message(for: issue)
    case let error as PresentableError: message(for: error)
    default: String(describing: error)
    }
  }

  private mutating func addIssues() {
    add(.blank, at: .title, "할일을 입력해주세요!", "Please enter a to-do.")
    add(.required, at: .priority, "중요도를 선택해주세요!", "Please choose a priority.")
    add(.blank, at: .tags, "태그를 입력해주세요!", "Please enter a tag.")
    add(.blank, at: .name, "그룹 이름을 입력해주세요!", "Please enter a name for the group.")
    add(.required, at: .image, "그림을 골라주세요!", "Please choose a picture.")
    add(.tooShort, at: .items, "할일을 하나 이상 입력해주세요!", "Please enter at least one to-do.")
    add(.blank, at: ["items", "title"], "할일을 입력해주세요!", "Please enter a to-do.")
    add(
      .invalidFormat, at: .priority, "알 수 없는 중요도입니다: {word} (높음, 보통, 낮음 가운데 하나를 써주세요)",
      "Unknown priority: {word} (use high, normal or low)")
    let koreanDays = "오늘, 내일, 금요일, 다음주 월, 다음주, 3일 뒤, 25일, 6/1, 6월 1일, 2026-06-01, 월말"
    let days = "today, tomorrow, fri, next fri, next week, 3d, 15th, 6/1, dec 25, 2026-06-01"
    add(
      .invalidFormat, at: .due, "알 수 없는 날짜입니다: {word} (\(koreanDays) 가운데 하나를 써주세요)",
      "Unknown day: {word} (use \(days) or eom)")
    add(
      .invalidFormat, at: .dueTime,
      """
      알 수 없는 날짜나 시각입니다: {word} (\(koreanDays) 가운데 하나를 쓰고, 시각은 14:30이나 오후 3시처럼 \
      써주세요)
      """, "Unknown day or time: {word} (use \(days) or eom, and 14:30 or 3pm for a time)")
    add(
      .invalidFormat, at: .repeats,
      """
      알 수 없는 반복입니다: {word} (매일, 매주, 매월, 매년, 2주마다, 격주, 매주 금, 매주 월수금, 평일, \
      매월 15일, 매월 첫째 월 가운데 하나를 써주세요)
      """,
      """
      Unknown recurrence: {word} (use day, week, month, quarter, year, 2 weeks, fri, mon,wed, \
      weekday, month on 15 or first mon)
      """)
  }

  private mutating func addErrors() {
    add(.itemNotFound, "그런 할일이 없습니다: {id}", "There is no such to-do: {id}")
    add(.itemExists, "이미 있는 할일입니다: {id}", "This to-do exists already: {id}")
    add(.groupNotFound, "그런 그룹이 없습니다: {id}", "There is no such group: {id}")
    add(.reservedName, "이미 정해진 이름입니다: {name}", "This name belongs to a list of its own: {name}")
    add(.listIsFixed, "스스로 모이는 목록이라 그렇게 할 수 없습니다.", "This list is automatic and cannot be changed.")
    add(
      .changedSince, "그동안 내용이 바뀌어 아무것도 하지 않았습니다: {id}",
      "It has changed since; nothing was changed: {id}")
    add(.noPendingDeletion, "확인을 기다리는 삭제가 없습니다.", "No deletion is waiting to be confirmed.")
    add(.nothingToUndo, "되돌릴 것이 없습니다.", "There is nothing to undo.")
    add(.nothingToRedo, "다시 할 것이 없습니다.", "There is nothing to redo.")
    add(
      .notTheLastCommand, "이제 마지막 변경이 아니어서 아무것도 되돌리지 않았습니다.",
      "It is not the last change any more, so nothing was undone.")
    add(
      .historyIncomplete, "실행 기록의 일부가 없어 되돌리거나 다시 할 수 없습니다.",
      "A part of the history is missing, so this cannot be undone or redone.")
    add(
      .storeIsReadOnly, "이 할일 파일은 읽을 수만 있습니다. 파일의 소유자와 권한을 확인하세요.",
      "The list can only be read: check the owner and the mode of its file.")
    add(.noImage, "그림을 가져올 수 없습니다: {reason}", "There is no picture: {reason}")
    add(
      .folderUnavailable, "폴더를 만들 수 없습니다: {path} ({reason})",
      "The folder cannot be made: {path} ({reason})")
    add(.storageFailed, "저장소 오류: {reason}", "The store failed: {reason}")
  }

  private mutating func add(
    _ code: ValidationIssue.Code, at path: FieldPath? = nil, _ korean: String, _ english: String
  ) {
    add([.korean: korean, .english: english], for: code, at: path)
  }
}
