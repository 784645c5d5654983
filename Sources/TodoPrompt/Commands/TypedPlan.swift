public import TodoKit

/// How an item repeats, waits and how long it takes, as a line says it: `every:week est:1h`.
///
/// The grammar is that of the prompt's `add`, for a field of other front ends.
public struct TypedPlan: Hashable, Sendable {
  /// A draft that has these fields alone.
  public let draft: TaskDraft

  /// The plan of an item.
  public init(_ item: TodoItem) { draft = TaskDraft(planOf: item) }

  /// Reads a line; a blank one is no plan.
  ///
  /// - Throws: ``PromptError`` for words that name no rule, no day or no time, and for other words.
  public init(line: String, settings: TodoSettings) throws {
    do {
      let words = try LineTokenizer("\(AddCommand.name) \(line)").completeWords().dropFirst()
      let command = try AddCommand(CommandInput(Array(words), ofField: AddCommand.self))
      draft = try command.draft(in: nil, clock: settings.clock)
      guard draft == draft.plan, command.group == nil else {
        throw CommandError(
          "Only every:, wait: and est: belong here.", "여기에는 반복:, 숨김:, 예상:만 쓸 수 있습니다.", .usage)
      }
    } catch {
      throw PromptError(error)
    }
  }

  /// What an item has of it, as it is typed; empty without.
  public static func line(of item: TodoItem) -> String {
    ItemField.plan.compactMap { field in
      field.typed(item).map { field.sign.spellings[0] + $0.asWord }
    }.joined(separator: " ")
  }
}
