import TodoKit

/// Runs commands, one after another: what numbers mean lasts from one to the next.
///
/// Threads: one.
final class Session {
  let surroundings: Surroundings
  /// What commands use that do not say otherwise; the program's own arguments set it.
  let base: Preferences
  /// What the command in hand uses, and what is said about it afterwards.
  private(set) var preferences: Preferences
  private var grammar = Grammar()
  private let openRepository: () throws(CommandError) -> any TodoRepository
  private var opened: (repository: any TodoRepository, actions: TaskActions)?
  /// The list that numbers count in; at first the one this terminal remembers.
  var listed: ListedItems { didSet { isListedNew = true } }
  private var isListedNew = false

  /// Whether another command may follow.
  enum Next {
    case goOn, leave
  }

  /// Makes a session.
  ///
  /// - Parameter openRepository: Called once, when the first command needs items, so
  ///   that `help` touches no file.
  init(
    surroundings: Surroundings, base: Preferences,
    openRepository: @escaping () throws(CommandError) -> any TodoRepository
  ) {
    self.surroundings = surroundings
    self.base = base
    preferences = base
    listed = surroundings.memory?.load() ?? ListedItems()
    self.openRepository = openRepository
  }

  /// Reads and runs one line of a script, of `-c` or of the prompt.
  func run(line words: [String]) throws(CommandError) -> Next {
    preferences = base
    preferences.language = MessageLanguage(askedForIn: words) ?? base.language
    let invocation = try grammar.parse(words)
    try invocation.options.checkForLine()
    if case .start = invocation.request { throw CommandError(.noVerb, .usage) }
    return try run(invocation)
  }

  /// Runs a command.
  ///
  /// What it prints has left the process when it returns.
  func run(_ invocation: Invocation) throws(CommandError) -> Next {
    preferences = base.applying(invocation.options)
    defer { surroundings.output.flush() }
    return try perform(invocation.request)
  }

  private func perform(_ request: Request) throws(CommandError) -> Next {
    switch request {
    case .start: break
    case .add(let item): try add(item)
    case .list(let name, let filter): try list(name, filter)
    case .show(let target): try show(target)
    case .setDone(let targets, let isDone): try setDone(targets, isDone)
    case .setImportant(let targets, let isImportant): try setImportant(targets, isImportant)
    case .edit(let target, let title): try edit(target, title)
    case .setPriority(let targets, let priority): try setPriority(targets, priority)
    case .setDue(let targets, let day): try setDue(targets, day)
    case .addTags(let targets, let tags): try addTags(targets, tags)
    case .removeTags(let targets, let tags): try removeTags(targets, tags)
    case .move(let targets, let place): try move(targets, to: place)
    case .setGroup(let targets, let group): try setGroup(targets, group)
    case .group(let request): try perform(request)
    case .undo: try undo()
    case .redo: try redo()
    case .remove(let targets): try remove(targets)
    case .removeAll(let name): try removeAll(name)
    case .help(let verb): say(verb.map(LocalizedText.explanation) ?? .overview)
    case .quit: return .leave
    case .text(let text): surroundings.output.write(text + "\n")
    }
    return .goOn
  }

  /// Lets the terminal remember the list for the next process, if it was shown there.
  func remember() {
    guard isListedNew, surroundings.output.isTerminal else { return }
    surroundings.memory?.save(listed)
    isListedNew = false
  }

  /// Opens the store, if it is not open yet.
  @discardableResult
  func repository() throws(CommandError) -> any TodoRepository { try open().repository }

  func actions() throws(CommandError) -> TaskActions { try open().actions }

  private func open() throws(CommandError) -> (repository: any TodoRepository, actions: TaskActions)
  {
    if let opened { return opened }
    let repository = try openRepository()
    let opened = (repository: repository, actions: TaskActions(repository: repository))
    self.opened = opened
    return opened
  }
}

extension SharedOptions {
  /// A line inside a session cannot choose another store or start another session.
  fileprivate func checkForLine() throws(CommandError) {
    if storePath != nil { throw CommandError(.onlyAtStart("--db"), .usage) }
    if keepGoing { throw CommandError(.onlyAtStart("--keep-going"), .usage) }
    if !commands.isEmpty { throw CommandError(.onlyAtStart("-c"), .usage) }
  }
}
