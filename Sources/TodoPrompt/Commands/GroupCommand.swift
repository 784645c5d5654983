import ArgumentParser
import TodoKit

/// The words of `group`, which lists groups, and of `group add|edit|mv|rm`.
struct GroupCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", abstract: "List groups, or make and change them.")

  /// What can be done with groups; what deletes stands last, as among the verbs.
  enum Action: String, CaseIterable {
    case add, edit, mv, rm
  }

  @OptionGroup var options: SharedOptions
  @Option(help: "Another name, for group edit.") var name: String?
  @Argument(help: "add, edit, mv or rm, then the group.") var words: [String] = []

  func request(literalWords: [String]) throws(Problem) -> Request {
    guard let word = words.first else {
      try refuse(literalWords)
      return .group(try withoutName(.list))
    }
    guard let action = Action(rawValue: word) else {
      let nearest = word.nearest(in: Action.allCases.map(\.rawValue))
      throw Problem(.unknownGroupAction(word, nearest: nearest), .usage)
    }
    let rest = words.dropFirst() + literalWords
    if rest.isEmpty { throw Problem(.needsMore(.group, action), .usage) }
    let group = rest.joined(separator: " ")
    switch action {
    case .add: return .group(try withoutName(.add(name: group, color: options.groupColor)))
    case .edit:
      if name == nil, !options.namesGroupColor { throw Problem(.needsMore(.group, action), .usage) }
      return .group(.edit(group: group, name: name, color: options.groupColor))
    case .mv:
      guard let (subject, place) = TypedPlace.parting(Array(rest)) else {
        throw Problem(.needsMore(.group, action), .usage)
      }
      return .group(try withoutName(.move(group: subject.joined(separator: " "), place: place)))
    case .rm: return .group(try withoutName(.remove(group: group)))
    }
  }

  private func withoutName(_ request: GroupRequest) throws(Problem) -> GroupRequest {
    if name != nil { throw Problem(.onlyForGroupEdit("--name"), .usage) }
    return request
  }
}
