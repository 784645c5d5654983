import CroftFoundation
import TodoKit

/// A verb that does one thing to the items that its words name, such as `done ITEM...`.
protocol ItemCommand: Command {
  /// The words that name the items.
  var targets: [String] { get }
  init(targets: [String])
  /// What is done to items.
  static func action(on ids: [UUID]) -> TodoAction
  /// The answer about an item, before its number and its title.
  static var answer: LocalizedText { get }
}

extension ItemCommand {
  static var synopsis: String { "\(name) ITEM..." }

  init(_ input: CommandInput) throws {
    self.init(targets: try Self.targets(in: input.allWords))
  }

  func run(in session: Session) throws {
    try session.change(targets, by: Self.action) { Self.answer.about($0, $1) }
  }
}

/// A verb whose words name items and then say what becomes of them, such as `due ITEM... DAY`.
protocol ItemTextCommand: Command {
  /// The words that name the items, and those after them.
  var words: TargetsAndText { get }
  init(words: TargetsAndText)
  /// Whether a word such as `#tag` after the first one is text.
  static var takesTags: Bool { get }
  /// What the words after those of the items do to items.
  func action(of text: [String], in session: Session) throws -> ([UUID]) -> TodoAction
  /// The answer about an item that was changed, before its number and its title.
  static func answer(about item: TodoItem) -> LocalizedText
}

extension ItemTextCommand {
  static var takesTags: Bool { false }

  init(_ input: CommandInput) throws {
    self.init(words: try TargetsAndText(input, of: Self.self))
  }

  func run(in session: Session) throws {
    let (targets, text) = try words.split(for: Self.self, tags: Self.takesTags, in: session)
    let action = try action(of: text, in: session)
    try session.change(targets, by: action) { Self.answer(about: $1).about($0, $1) }
  }
}
