import TodoKit

/// What a line of words asks for, free of the grammar that read it.
///
/// Targets and titles are raw input here: targets become ids in the session, and
/// titles and priorities go to the view models as they were typed.
enum Request: Equatable {
  /// No verb: the session that was asked for by options alone.
  case start
  case add(title: String, priority: Priority?)
  case list(ItemFilter)
  case setDone(targets: [String], isDone: Bool)
  case edit(target: String, title: String)
  case setPriority(targets: [String], priority: Priority?)
  case remove(targets: [String])
  case help(Verb?)
  case quit
  /// A text that the grammar answers by itself, such as a shell's completion script.
  case show(String)
}

/// A line of words, understood: what is asked for, and the options around it.
struct Invocation {
  let request: Request
  let options: SharedOptions
}
