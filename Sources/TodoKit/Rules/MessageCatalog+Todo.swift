public import Presentation

extension MessageCatalog {
  /// Everything this module has to tell people, in Korean and English.
  public static func todo(in language: Language) -> MessageCatalog {
    var catalog = MessageCatalog.standard(in: language)
    catalog.addIssues()
    catalog.addErrors()
    catalog.addStoreFailures()
    return catalog
  }

  /// The message for the user about an error that a repository threw.
  ///
  /// An error of another module is described by its own description.
  public func message(for error: any Error) -> String {
    switch error {
    case let error as any CodedError: message(error.code, params: error.params)
    case let issue as ValidationIssue: message(for: issue)
    case let error as PresentableError: message(for: error)
    default: String(describing: error)
    }
  }

  private mutating func addIssues() {
    add(
      [.korean: "할일을 입력해주세요!", .english: "Please enter a to-do."],
      for: .blank, at: .title)
    add(
      [.korean: "중요도를 선택해주세요!", .english: "Please choose a priority."],
      for: .required, at: .priority)
    add([.korean: "태그를 입력해주세요!", .english: "Please enter a tag."], for: .blank, at: .tags)
    add(
      [.korean: "그룹 이름을 입력해주세요!", .english: "Please enter a name for the group."],
      for: .blank, at: .name)
    add(
      [.korean: "그림을 골라주세요!", .english: "Please choose a picture."],
      for: .required, at: .image)
    add(
      [.korean: "할일을 하나 이상 입력해주세요!", .english: "Please enter at least one to-do."],
      for: .tooShort, at: .items)
    add(
      [.korean: "할일을 입력해주세요!", .english: "Please enter a to-do."],
      for: .blank, at: ["items", "title"])
    add(
      [
        .korean: "알 수 없는 중요도입니다: {word} (높음, 보통, 낮음 가운데 하나를 써주세요)",
        .english: "Unknown priority: {word} (use high, normal or low)",
      ], for: .invalidFormat, at: .priority)
    let koreanDays = "오늘, 내일, 금요일, 다음주 월, 다음주, 3일 뒤, 25일, 6/1, 6월 1일, 2026-06-01, 월말"
    let days = "today, tomorrow, fri, next fri, next week, 3d, 15th, 6/1, dec 25, 2026-06-01"
    add(
      [
        .korean: "알 수 없는 날짜입니다: {word} (\(koreanDays) 가운데 하나를 써주세요)",
        .english: "Unknown day: {word} (use \(days) or eom)",
      ], for: .invalidFormat, at: .due)
    add(
      [
        .korean: """
        알 수 없는 날짜나 시각입니다: {word} (\(koreanDays) 가운데 하나를 쓰고, 시각은 14:30이나 오후 3시처럼 \
        써주세요)
        """,
        .english: "Unknown day or time: {word} (use \(days) or eom, and 14:30 or 3pm for a time)",
      ], for: .invalidFormat, at: .dueTime)
    add(
      [
        .korean: """
        알 수 없는 반복입니다: {word} (매일, 매주, 매월, 매년, 2주마다, 격주, 매주 금, 매주 월수금, 평일, \
        매월 15일, 매월 첫째 월 가운데 하나를 써주세요)
        """,
        .english: """
        Unknown recurrence: {word} (use day, week, month, quarter, year, 2 weeks, fri, mon,wed, \
        weekday, month on 15 or first mon)
        """,
      ], for: .invalidFormat, at: .repeats)
  }

  private mutating func addErrors() {
    add(
      [.korean: "그런 할일이 없습니다: {id}", .english: "There is no such to-do: {id}"],
      for: .itemNotFound)
    add(
      [.korean: "이미 있는 할일입니다: {id}", .english: "This to-do exists already: {id}"],
      for: .itemExists)
    add(
      [.korean: "그런 그룹이 없습니다: {id}", .english: "There is no such group: {id}"],
      for: .groupNotFound)
    add(
      [
        .korean: "이미 정해진 이름입니다: {name}",
        .english: "This name belongs to a list of its own: {name}",
      ], for: .reservedName)
    add(
      [
        .korean: "스스로 모이는 목록이라 그렇게 할 수 없습니다.",
        .english: "This list is automatic and cannot be changed.",
      ], for: .listIsFixed)
    add(
      [
        .korean: "그동안 내용이 바뀌어 아무것도 하지 않았습니다: {id}",
        .english: "It has changed since; nothing was changed: {id}",
      ], for: .changedSince)
    add(
      [
        .korean: "확인을 기다리는 삭제가 없습니다.",
        .english: "No deletion is waiting to be confirmed.",
      ], for: .noPendingDeletion)
    add(
      [.korean: "되돌릴 것이 없습니다.", .english: "There is nothing to undo."],
      for: .nothingToUndo)
    add(
      [.korean: "다시 할 것이 없습니다.", .english: "There is nothing to redo."],
      for: .nothingToRedo)
    add(
      [
        .korean: "실행 기록의 일부가 없어 되돌리거나 다시 할 수 없습니다.",
        .english: "A part of the history is missing, so this cannot be undone or redone.",
      ], for: .historyIncomplete)
    add(
      [
        .korean: "이 할일 파일은 읽을 수만 있습니다. 파일의 소유자와 권한을 확인하세요.",
        .english: "The list can only be read: check the owner and the mode of its file.",
      ], for: .storeIsReadOnly)
    add(
      [
        .korean: "그림을 가져올 수 없습니다: {reason}", .english: "There is no picture: {reason}",
      ], for: .noImage)
    add(
      [
        .korean: "폴더를 만들 수 없습니다: {path} ({reason})",
        .english: "The folder cannot be made: {path} ({reason})",
      ], for: .folderUnavailable)
    add(
      [.korean: "저장소 오류: {reason}", .english: "The store failed: {reason}"],
      for: .storageFailed)
  }
}
