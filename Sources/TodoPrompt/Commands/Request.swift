import TodoKit

/// What a line of words asks for, free of the grammar that read it.
///
/// Targets, names, days and titles are raw input here: targets and names become ids in the
/// session, and the rest goes to the view models as it was typed.
enum Request: Equatable {
  /// No verb: the session that was asked for by options alone.
  case start
  case add(AddArguments)
  /// The items of a list; of all lists without a name.
  case list(name: String?, ItemFilter)
  case show(target: String)
  case setDone(targets: [String], isDone: Bool)
  case setImportant(targets: [String], isImportant: Bool)
  case edit(target: String, title: String)
  case setPriority(targets: [String], priority: Priority?)
  case setDue(targets: [String], day: String)
  case addTags(targets: [String], tags: [String])
  case removeTags(targets: [String], tags: [String])
  case move(targets: [String], place: MoveTarget)
  case setGroup(targets: [String], group: String)
  case group(GroupRequest)
  case undo
  case redo
  case remove(targets: [String])
  /// The items of a list; of all lists without a name.
  case removeAll(name: String?)
  case help(Verb?)
  case quit
  /// A text that the grammar answers by itself, such as a shell's completion script.
  case text(String)
}

/// What is asked about groups.
enum GroupRequest: Equatable {
  case list
  case add(name: String, color: RGBA?)
  case edit(group: String, name: String?, color: RGBA?)
  case move(group: String, place: MoveTarget)
  case remove(group: String)
}

/// A line of words, understood: what is asked for, and the options around it.
struct Invocation {
  let request: Request
  let options: SharedOptions
}
