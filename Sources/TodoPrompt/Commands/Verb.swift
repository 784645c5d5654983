/// The words a command can begin with, in the order that help and Tab show them.
///
/// What cannot lose anything comes first; what deletes comes last, so that no
/// first candidate is ever a dangerous one.
enum Verb: String, CaseIterable, Sendable {
  case add, ls, show, done, undone, edit, pri, star, unstar, due, tag, untag, mv, undo, redo
  case help, quit, group, rm

  /// The part of the grammar that reads this verb's words.
  var command: any VerbCommand.Type {
    switch self {
    case .add: AddCommand.self
    case .ls: ListCommand.self
    case .show: ShowCommand.self
    case .done: DoneCommand.self
    case .undone: UndoneCommand.self
    case .edit: EditCommand.self
    case .pri: PriorityCommand.self
    case .star: StarCommand.self
    case .unstar: UnstarCommand.self
    case .due: DueCommand.self
    case .tag: TagCommand.self
    case .untag: UntagCommand.self
    case .mv: MoveCommand.self
    case .undo: UndoCommand.self
    case .redo: RedoCommand.self
    case .help: HelpCommand.self
    case .quit: QuitCommand.self
    case .group: GroupCommand.self
    case .rm: RemoveCommand.self
    }
  }

  /// What may follow the verb, the same in every language; one line for each form.
  var synopsis: String {
    switch self {
    case .add:
      """
      add TITLE... [!h|!n|!l] [@GROUP] [due:DAY] [#TAG]...
      add TITLE... [--pri high|normal|low] [-g GROUP] [--due DAY]
      """
    case .ls: "ls [GROUP|important|none] [--undone|--done|--all]"
    case .show: "show GROUP|important|none|ITEM"
    case .done: "done ITEM..."
    case .undone: "undone ITEM..."
    case .edit: "edit ITEM TITLE..."
    case .pri: "pri ITEM... high|normal|low"
    case .star: "star ITEM..."
    case .unstar: "unstar ITEM..."
    case .due: "due ITEM... DAY|none"
    case .tag: "tag ITEM... WORD..."
    case .untag: "untag ITEM... WORD..."
    case .mv:
      """
      mv ITEM... top|bottom
      mv ITEM... before|after ITEM
      mv ITEM... to GROUP|none
      """
    case .undo: "undo"
    case .redo: "redo"
    case .help: "help [VERB]"
    case .quit: "quit"
    case .group:
      """
      group
      group add NAME [--color '#rrggbb']
      group edit GROUP [--name NAME] [--color '#rrggbb']
      group mv GROUP top|bottom
      group mv GROUP before|after GROUP
      group rm GROUP [--yes]
      """
    case .rm:
      """
      rm ITEM... [--yes]
      rm --all [GROUP|important|none] [--yes]
      """
    }
  }

  /// A line that works as it stands, given a list that is long enough.
  var example: String {
    switch self {
    case .add: "add buy milk due:fri --pri normal"
    case .ls: "ls important --undone"
    case .show: "show important"
    case .done: "done 3 5-7"
    case .undone: "undone 3"
    case .edit: "edit 3 buy oat milk"
    case .pri: "pri 2 4 high"
    case .star: "star 3"
    case .unstar: "unstar 3"
    case .due: "due 3 next fri"
    case .tag: "tag 3 errands"
    case .untag: "untag 3 errands"
    case .mv: "mv 5 before 2"
    case .undo: "undo"
    case .redo: "redo"
    case .help: "help add"
    case .quit: "quit"
    case .group: "group add home --color '#ff8800'"
    case .rm: "rm 3"
    }
  }

  /// The verb that a mistyped word most likely means; nil when none is near.
  static func nearest(to word: String) -> Verb? {
    word.nearest(in: allCases.map(\.rawValue)).flatMap(Verb.init(rawValue:))
  }
}
