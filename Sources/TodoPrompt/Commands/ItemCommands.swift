import ArgumentParser
import TodoKit

/// The words of `ls [--undone|--done|--all]`.
struct ListCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List items, open ones first.")

  /// Which items are listed.
  enum Choice: String, EnumerableFlag {
    case undone, done, all
  }

  @OptionGroup var options: SharedOptions
  @Flag(exclusivity: .exclusive, help: "Which items to list.") var choice: Choice = .all

  func request(literalWords: [String]) throws(Problem) -> Request {
    try refuse(literalWords)
    switch choice {
    case .undone: return .list(.undone)
    case .done: return .list(.done)
    case .all: return .list(.all)
    }
  }
}

/// The words of `done ITEM...`.
struct DoneCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Mark items as done.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "Numbers, ranges or ids.") var words: [String] = []

  func request(literalWords: [String]) throws(Problem) -> Request {
    .setDone(targets: try Verb.done.targets(words + literalWords), isDone: true)
  }
}

/// The words of `undone ITEM...`.
struct UndoneCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "undone", abstract: "Mark items as not done.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "Numbers, ranges or ids.") var words: [String] = []

  func request(literalWords: [String]) throws(Problem) -> Request {
    .setDone(targets: try Verb.undone.targets(words + literalWords), isDone: false)
  }
}

/// The words of `edit ITEM TITLE...`.
struct EditCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Give an item another title.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "A number or an id, then the new title.") var words: [String] = []

  func request(literalWords: [String]) throws(Problem) -> Request {
    let words = try Verb.edit.targets(words + literalWords)
    let title = words.dropFirst().joined(separator: " ")
    return .edit(target: words[0], title: title)
  }
}

/// The words of `pri ITEM... PRIORITY`.
struct PriorityCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "pri", abstract: "Set the priority of items.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "Numbers, ranges or ids, then high, normal or low.") var words: [String] = []

  func request(literalWords: [String]) throws(Problem) -> Request {
    var targets = words + literalWords
    let last = targets.last ?? ""
    let priority = Priority(word: last) ?? Priority(sigil: last)
    if priority != nil { targets.removeLast() }
    return .setPriority(targets: try Verb.pri.targets(targets), priority: priority)
  }
}

/// The words of `rm ITEM...`.
struct RemoveCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Delete items; asks first.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "Numbers, ranges or ids.") var words: [String] = []

  func request(literalWords: [String]) throws(Problem) -> Request {
    .remove(targets: try Verb.rm.targets(words + literalWords))
  }
}

extension Verb {
  /// The words that name items; a verb without a target never means all of them.
  fileprivate func targets(_ words: [String]) throws(Problem) -> [String] {
    if words.isEmpty { throw Problem(.noTargets(self), .usage) }
    return words
  }
}
