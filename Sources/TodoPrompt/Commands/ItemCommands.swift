import ArgumentParser
import TodoKit

/// The words of `ls [GROUP|important|none] [--undone|--done|--all]`.
struct ListCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List items, open ones first.")

  /// Which items are listed.
  enum Choice: String, EnumerableFlag {
    case undone, done, all
  }

  @OptionGroup var options: SharedOptions
  @Flag(exclusivity: .exclusive, help: "Which items to list.") var choice: Choice = .all
  @Argument(help: "A group, important, or none; all items without it.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    let words = words + literalWords
    let name = words.isEmpty ? nil : words.joined(separator: " ")
    switch choice {
    case .undone: return .list(name: name, .undone)
    case .done: return .list(name: name, .done)
    case .all: return .list(name: name, .all)
    }
  }
}

/// The words of `show GROUP|important|ITEM`.
struct ShowCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a group with its items, or all of one item.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "A group, important, or a number or an id.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    .show(target: try Verb.show.targets(words + literalWords).joined(separator: " "))
  }
}

/// The words of `done ITEM...`.
struct DoneCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Mark items as done.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "Numbers, ranges or ids.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    .setDone(targets: try Verb.done.targets(words + literalWords), isDone: true)
  }
}

/// The words of `undone ITEM...`.
struct UndoneCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "undone", abstract: "Mark items as not done.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "Numbers, ranges or ids.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    .setDone(targets: try Verb.undone.targets(words + literalWords), isDone: false)
  }
}

/// The words of `star ITEM...`.
struct StarCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "star", abstract: "Give items a star.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "Numbers, ranges or ids.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    .setImportant(targets: try Verb.star.targets(words + literalWords), isImportant: true)
  }
}

/// The words of `unstar ITEM...`.
struct UnstarCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "unstar", abstract: "Take items' stars away.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "Numbers, ranges or ids.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    .setImportant(targets: try Verb.unstar.targets(words + literalWords), isImportant: false)
  }
}

/// The words of `edit ITEM TITLE...`.
struct EditCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Give an item another title.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "A number or an id, then the new title.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
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

  func request(literalWords: [String]) throws(CommandError) -> Request {
    var targets = words + literalWords
    let last = targets.last ?? ""
    let priority = Priority(word: last) ?? Priority(sigil: last)
    if priority != nil {
      targets.removeLast()
    } else if targets.count > 1, !last.mayNameItems {
      _ = try Priority.option(last.after("!") ?? last)
    }
    return .setPriority(targets: try Verb.pri.targets(targets), priority: priority)
  }
}

/// The words of `rm ITEM...` and of `rm --all [GROUP|important|none]`.
struct RemoveCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Delete items; asks for three or more.")

  @OptionGroup var options: SharedOptions
  @Flag(help: "Delete all items, or all of the named list; asks for their number.") var all = false
  @Argument(help: "Numbers, ranges or ids; with --all a list.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    let words = words + literalWords
    if all { return .removeAll(name: words.isEmpty ? nil : words.joined(separator: " ")) }
    return .remove(targets: try Verb.rm.targets(words))
  }
}
