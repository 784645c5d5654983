import ArgumentParser

/// The words of `due ITEM... DAY`.
struct DueCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "due", abstract: "Set the day by which items are to be done.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "Numbers, ranges or an id, then a day or none.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    let (targets, day) = try Verb.due.splitTargets(words + literalWords)
    return .setDue(targets: targets, day: day.joined(separator: " "))
  }
}

/// The words of `tag ITEM... WORD...`.
struct TagCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "File items under words.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "Numbers, ranges or an id, then words.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    let (targets, tags) = try Verb.tag.splitTargets(words + literalWords)
    return .addTags(targets: targets, tags: tags.map { $0.after("#") ?? $0 })
  }
}

/// The words of `untag ITEM... WORD...`.
struct UntagCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "untag", abstract: "Take words away that items are filed under.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "Numbers, ranges or an id, then words.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    let (targets, tags) = try Verb.untag.splitTargets(words + literalWords)
    return .removeTags(targets: targets, tags: tags.map { $0.after("#") ?? $0 })
  }
}

/// The words of `mv ITEM... top|bottom`, `mv ITEM... before|after ITEM` and `mv ITEM... to GROUP`.
struct MoveCommand: WordCommand {
  static let configuration = CommandConfiguration(
    commandName: "mv", abstract: "Put items at another place, or into a group.")

  @OptionGroup var options: SharedOptions
  @Argument(help: "Numbers, ranges or ids, then where they go.") var words: [String] = []

  func request(literalWords: [String]) throws(CommandError) -> Request {
    let words = try Verb.mv.targets(words + literalWords)
    if let to = words.firstIndex(of: "to"), to > 0, to < words.count - 1 {
      let group = words[(to + 1)...].joined(separator: " ")
      return .setGroup(targets: Array(words[..<to]), group: group)
    }
    guard let (targets, place) = MoveTarget.split(words) else {
      if let place = MoveTarget.typo(words) {
        throw CommandError(.unknownPlace(place, forms: Verb.mv.synopsis), .usage)
      }
      throw CommandError(.needsMore(.mv), .usage)
    }
    return .move(targets: targets, place: place)
  }
}
