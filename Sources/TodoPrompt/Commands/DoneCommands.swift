import TodoKit

/// `done ITEM...`: marks items as done.
struct DoneCommand: Command {
  static let name = "done"
  static let aliases = ["완료"]
  static let synopsis = "done ITEM..."
  static let example = "done 3 5-7"
  static let summary = LocalizedText("Marks items as done.", "할일을 완료합니다.")

  let targets: [String]

  func run(in session: Session) throws {
    try session.change(targets, by: { .setDone($0, true) }) { label, item in
      LocalizedText("Done \(label): \(item.title.visible)", "완료 \(label): \(item.title.visible)")
    }
  }
}

extension DoneCommand {
  init(_ input: CommandInput) throws {
    targets = try Self.targets(in: input.allWords)
  }
}

/// `undone ITEM...`: marks items as not done.
struct UndoneCommand: Command {
  static let name = "undone"
  static let aliases = ["되살리기", "미완료"]
  static let synopsis = "undone ITEM..."
  static let example = "undone 3"
  static let summary = LocalizedText("Marks items as not done.", "완료를 취소합니다.")

  let targets: [String]

  func run(in session: Session) throws {
    try session.change(targets, by: { .setDone($0, false) }) { label, item in
      LocalizedText(
        "Not done \(label): \(item.title.visible)", "완료 취소 \(label): \(item.title.visible)")
    }
  }
}

extension UndoneCommand {
  init(_ input: CommandInput) throws {
    targets = try Self.targets(in: input.allWords)
  }
}
