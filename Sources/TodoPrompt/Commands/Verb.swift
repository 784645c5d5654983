/// The words a command can begin with, in the order that help and Tab show them.
///
/// What cannot lose anything comes first; what deletes comes last, so that no
/// first candidate is ever a dangerous one.
enum Verb: String, CaseIterable, Sendable {
  case add, ls, done, undone, edit, pri, help, quit, rm

  /// The part of the grammar that reads this verb's words.
  var command: any VerbCommand.Type {
    switch self {
    case .add: AddCommand.self
    case .ls: ListCommand.self
    case .done: DoneCommand.self
    case .undone: UndoneCommand.self
    case .edit: EditCommand.self
    case .pri: PriorityCommand.self
    case .help: HelpCommand.self
    case .quit: QuitCommand.self
    case .rm: RemoveCommand.self
    }
  }

  /// What may follow the verb, the same in every language.
  var synopsis: String {
    switch self {
    case .add: "add TITLE... [!h|!n|!l] [--pri high|normal|low]"
    case .ls: "ls [--undone|--done|--all]"
    case .done: "done ITEM..."
    case .undone: "undone ITEM..."
    case .edit: "edit ITEM TITLE..."
    case .pri: "pri ITEM... high|normal|low"
    case .help: "help [VERB]"
    case .quit: "quit"
    case .rm: "rm ITEM... [--yes]"
    }
  }

  /// A line that works as it stands, given a list that is long enough.
  var example: String {
    switch self {
    case .add: "add buy milk and bread --pri normal"
    case .ls: "ls --undone"
    case .done: "done 3 5-7"
    case .undone: "undone 3"
    case .edit: "edit 3 buy oat milk"
    case .pri: "pri 2 4 high"
    case .help: "help add"
    case .quit: "quit"
    case .rm: "rm 3"
    }
  }

  /// The verb that a mistyped word most likely means; nil when none is near.
  ///
  /// A word that begins a verb means that verb; else one or two slips are
  /// forgiven, fewer in short words. Ties go to the verb that stands first.
  static func nearest(to word: String) -> Verb? {
    let word = word.lowercased()
    if word.isEmpty { return nil }
    if let begun = allCases.first(where: { $0.rawValue.hasPrefix(word) }) { return begun }
    let scored = allCases.map { (verb: $0, slips: word.slips(to: $0.rawValue)) }
    guard let best = scored.min(by: { $0.slips < $1.slips }) else { return nil }
    let forgiven = min(2, max(word.count, best.verb.rawValue.count) / 2)
    return best.slips <= forgiven ? best.verb : nil
  }
}

extension String {
  /// How many letters must be put in, left out, replaced or swapped with the next
  /// one to turn this word into another (optimal string alignment).
  ///
  /// - Complexity: O(m * n) for words of m and n letters.
  func slips(to other: String) -> Int {
    let from = Array(self)
    let to = Array(other)
    var beforeLast: [Int] = []
    var last = Array(0...to.count)
    for (i, letter) in from.enumerated() {
      var row = [i + 1]
      for (j, wanted) in to.enumerated() {
        var least = Swift.min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == wanted ? 0 : 1))
        if i > 0, j > 0, letter == to[j - 1], from[i - 1] == wanted {
          least = Swift.min(least, beforeLast[j - 1] + 1)
        }
        row.append(least)
      }
      beforeLast = last
      last = row
    }
    return last[to.count]
  }
}
