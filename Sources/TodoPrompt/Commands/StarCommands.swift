import TodoKit

/// `star ITEM...`: gives items a star.
struct StarCommand: Command {
  static let name = "star"
  static let aliases = ["별표"]
  static let synopsis = "star ITEM..."
  static let example = "star 3"
  static let summary = LocalizedText("Gives items a star.", "할일에 별표를 합니다.")

  let targets: [String]

  func run(in session: Session) throws {
    try session.change(targets, by: { .setImportant($0, true) }) { label, item in
      LocalizedText(
        "Starred \(label): \(item.title.visible)", "별표 \(label): \(item.title.visible)")
    }
  }
}

extension StarCommand {
  init(_ input: CommandInput) throws {
    targets = try Self.targets(in: input.allWords)
  }
}

/// `unstar ITEM...`: removes the stars of items.
struct UnstarCommand: Command {
  static let name = "unstar"
  static let aliases = ["별표해제"]
  static let synopsis = "unstar ITEM..."
  static let example = "unstar 3"
  static let summary = LocalizedText("Removes stars.", "별표를 해제합니다.")

  let targets: [String]

  func run(in session: Session) throws {
    try session.change(targets, by: { .setImportant($0, false) }) { label, item in
      LocalizedText(
        "Not starred \(label): \(item.title.visible)", "별표 해제 \(label): \(item.title.visible)")
    }
  }
}

extension UnstarCommand {
  init(_ input: CommandInput) throws {
    targets = try Self.targets(in: input.allWords)
  }
}
