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

  func request(literalWords: [String]) throws(CommandError) -> Request {
    guard let word = words.first else {
      try refuse(literalWords)
      return .group(try withoutName(.list))
    }
    guard let action = Action(rawValue: word) else {
      throw unknownAction(word, words.dropFirst() + literalWords)
    }
    let rest = words.dropFirst() + literalWords
    if rest.isEmpty { throw CommandError(.needsMore(.group, action), .usage) }
    let group = rest.joined(separator: " ")
    switch action {
    case .add: return .group(try withoutName(.add(name: group, color: options.groupColor)))
    case .edit:
      if name == nil, !options.namesGroupColor {
        throw CommandError(.needsMore(.group, action), .usage)
      }
      return .group(.edit(group: group, name: name, color: options.groupColor))
    case .mv:
      guard let (subject, place) = MoveTarget.split(Array(rest)) else {
        if let place = MoveTarget.typo(Array(rest)) {
          throw CommandError(
            .unknownPlace(place, forms: LocalizedText.forms(.group, action)), .usage)
        }
        throw CommandError(.needsMore(.group, action), .usage)
      }
      return .group(try withoutName(.move(group: subject.joined(separator: " "), place: place)))
    case .rm: return .group(try withoutName(.remove(group: group)))
    }
  }

  /// A name of one letter is no slip of an action, and `show` or `ls` before a name is one of place.
  private func unknownAction(_ word: String, _ rest: [String]) -> CommandError {
    let nearest = word.count > 1 ? word.nearest(in: Action.allCases.map(\.rawValue)) : nil
    let isShow = [Verb.show.rawValue, Verb.ls.rawValue].contains(word) && !rest.isEmpty
    let group = isShow ? rest.joined(separator: " ") : word
    return CommandError(.unknownGroupAction(word, group: group, nearest: nearest), .usage)
  }

  private func withoutName(_ request: GroupRequest) throws(CommandError) -> GroupRequest {
    if name != nil { throw CommandError(.onlyForGroupEdit("--name"), .usage) }
    return request
  }
}
