import ArgumentParser
import TodoKit

/// The words of `add TITLE... [!h|!n|!l] [@GROUP] [due:DAY] [#TAG]...`.
struct AddCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an item.")

  @OptionGroup var options: SharedOptions
  @Option(name: .customLong("pri"), help: "high, normal or low.") var priority: String?
  @Option(name: .shortAndLong, help: "The group it belongs to.") var group: String?
  @Option(help: "The day by which it is to be done.") var due: String?
  @Argument(help: "The title; words are joined by one space.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    var item = AddArguments()
    if let priority { try item.choose(try Priority.option(priority)) }
    if let group { try item.choose(group: group) }
    if let due { try item.choose(due: due) }
    var title: [String] = []
    for word in words where try !item.takeSigil(word) { title.append(word) }
    item.title = (title + literalWords).joined(separator: " ")
    return .add(item)
  }
}
