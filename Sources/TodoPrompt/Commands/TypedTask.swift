public import CroftFoundation
public import TodoKit

/// A task as a line of text says it: `buy milk @home due:fri !high #shop`.
///
/// The grammar is that of the prompt's `add`, for fields of other front ends.
public struct TypedTask: Hashable, Sendable {
  /// The fields that were read from the line; they are not validated yet.
  public let draft: TaskDraft
  /// The group that the line names, as it is stored; nil without one.
  public let group: TodoGroup?
  /// The name after `@` that no list has; nil where the group exists, or none is named.
  public let newGroup: String?

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: The text; one that is blank is a task without a title.
  ///   - place: The group of a line that names none.
  ///   - repository: Where the groups are.
  ///   - settings: The current day, and the priority where none was chosen.
  ///   - priority: The priority that was chosen beside the line, for a line without one.
  /// - Throws: ``PromptError`` for words that name no day, no rule, more than one of a kind, or a list
  ///   to which nothing is added; what the repository throws.
  public init(
    line: String, in place: UUID?, of repository: any TodoRepository, settings: TodoSettings,
    priority: Priority? = nil
  ) throws {
    do {
      // After the verb, a line that begins with a tag does not begin a comment.
      let words = try LineTokenizer("\(AddCommand.name) \(line)").completeWords().dropFirst()
      let command = try AddCommand(CommandInput(Array(words), ofField: AddCommand.self))
      var destination = place
      if let name = command.group {
        let list = try GroupSelection { repository }.findList(name)
        group = try list?.destination()
        newGroup = list == nil ? name.after("@") ?? name : nil
        destination = group?.id
      } else {
        (group, newGroup) = (nil, nil)
      }
      var draft = try command.draft(in: destination, clock: settings.clock)
      draft.mayLackPriority = settings.mayLackPriority
      if draft.priority == nil { draft.priority = try priority ?? settings.chosenPriority() }
      self.draft = draft
    } catch {
      throw PromptError(error)
    }
  }
}
