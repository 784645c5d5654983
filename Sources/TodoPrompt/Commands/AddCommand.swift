import ArgumentParser
import TodoKit

/// The words of `add TITLE... [!h|!n|!l] [--pri PRIORITY]`.
struct AddCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an item.")

  @OptionGroup var options: SharedOptions
  @Option(name: .customLong("pri"), help: "high, normal or low.") var priority: String?
  @Argument(help: "The title; words are joined by one space.") var words: [String] = []

  func request(literalWords: [String]) throws(Problem) -> Request {
    let (plain, given) = Priority.takingSigils(from: words)
    var choices = Set(given)
    if let priority { choices.insert(try Priority.option(priority)) }
    if choices.count > 1 { throw Problem(.contradictoryPriorities, .usage) }
    let title = (plain + literalWords).joined(separator: " ")
    return .add(title: title, priority: choices.first)
  }
}
