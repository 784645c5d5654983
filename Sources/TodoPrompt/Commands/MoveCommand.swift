import CroftFoundation
import TodoKit

struct MoveCommand: Command {
  static let name = "mv"
  static let aliases = ["이동"]
  static let synopsis = """
    mv ITEM... top|bottom
    mv ITEM... before|after ITEM
    mv ITEM... to GROUP|none
    mv ITEM... @GROUP
    """
  static let example = "mv 5 before 2"
  static let summary = LocalizedText("Moves items.", "할일을 옮깁니다.")
  static let details = [LocalizedText.groupsHelp, MoveTarget.help]

  enum Destination: Equatable {
    case place(MoveTarget)
    /// The name of a group, or `none`.
    case group(String)
  }

  let targets: [String]
  let destination: Destination

  func run(in session: Session) throws {
    let selected = try session.select(targets)
    let ids = selected.map(\.item.id)
    switch destination {
    case .group(let name):
      let target = try session.groupTarget(name)
      let action: TodoAction =
        target.newName.map { .setNewGroup(ids, $0) } ?? .setGroup(ids, target.group?.id)
      let result = try session.perform(action, about: selected.map(\.item))
      // The stored name of a new group may have a number.
      let group = (result.groups.first ?? target.group)?.name.visible
      let answer =
        group.map { LocalizedText("Group \($0)", "그룹 \($0)") } ?? LocalizedText("No group", "그룹 없음")
      try session.say(result, as: selected) { answer.about($0, $1) }
    case .place(let target):
      let (place, name) = try target.resolved { word in
        let neighbor = try session.selectOne(word).item
        return (neighbor.id, neighbor.title, isMoved: ids.contains(neighbor.id))
      }
      let target = LocalizedText(" -> \(name.english)", " -> \(name.korean)")
      try session.change(selected, by: .move(ids, to: place)) {
        LocalizedText("Moved", "이동").about($0, $1, target)
      }
    }
  }
}

extension MoveCommand {
  init(_ input: CommandInput) throws {
    let words = try Self.targets(in: input.allWords)
    if let to = words.firstIndex(of: "to"), to > 0, to < words.count - 1 {
      targets = Array(words[..<to])
      destination = .group(words[(to + 1)...].joined(separator: " "))
      return
    }
    if words.count > 1, let group = words.last?.after("@"), MoveTarget.split(words) == nil {
      targets = words.dropLast()
      destination = .group(group)
      return
    }
    guard let (targets, target) = MoveTarget.split(words) else {
      if let word = MoveTarget.typo(words) {
        throw CommandError(.unknownPlace(word, forms: Self.synopsis), .usage)
      }
      throw CommandError(.needsMore(Self.self), .usage)
    }
    self.targets = targets
    destination = .place(target)
  }
}

/// The place of a move as it was typed: an end of the list, or beside a neighbour.
enum MoveTarget: Hashable {
  case first, last
  case before(String)
  case after(String)

  static let help = LocalizedText(
    "  first and last are other words for top and bottom.",
    """
      first와 last는 top, bottom과 같고, 맨위, 맨아래도 됩니다. "3 앞"이나 "3 뒤"처럼 끝에 앞이나 뒤를 쓰면 \
    before 3, after 3과 같습니다.
    """)

  /// The words for the ends of a list; Korean ones may be written apart.
  private static let ends: [(words: Set<String>, place: MoveTarget)] = [
    (["top", "first", "맨위", "맨위로"], .first),
    (["bottom", "last", "맨아래", "맨아래로"], .last),
  ]
  /// The Korean words that come after a neighbour.
  private static let besides: [(words: Set<String>, place: @Sendable (String) -> MoveTarget)] = [
    (["앞", "앞으로"], { .before($0) }), (["뒤", "뒤로"], { .after($0) }),
  ]

  /// Splits the words of a move into what moves and the place at their end; nil without a place.
  ///
  /// The last `before` or `after` counts that has words on both sides, because names may hold
  /// these words too.
  static func split(_ words: [String]) -> (subject: [String], place: MoveTarget)? {
    let beside = words.indices.dropFirst().dropLast()
      .last { words[$0] == "before" || words[$0] == "after" }
    if let beside {
      let neighbor = words[(beside + 1)...].joined(separator: " ")
      return (
        Array(words[..<beside]), words[beside] == "before" ? .before(neighbor) : .after(neighbor)
      )
    }
    for (names, place) in ends {
      for count in [1, 2] where words.count > count {
        if names.contains(words.suffix(count).joined()) { return (words.dropLast(count), place) }
      }
    }
    for (names, place) in besides where words.count > 2 && names.contains(words.last ?? "") {
      return (words.dropLast(2), place(words[words.count - 2]))
    }
    return nil
  }

  /// The word in the position of a place; nil if words are missing.
  static func typo(_ words: [String]) -> String? {
    guard words.count > 1, let last = words.last else { return nil }
    var names: Set = ["before", "after", "to"]
    for (words, _) in ends { names.formUnion(words) }
    for (words, _) in besides { names.formUnion(words) }
    return words.contains { names.contains($0) } ? nil : last
  }

  /// The place with the neighbour's id, and its name for the answer.
  ///
  /// - Parameter neighbor: Finds the item or group that a word names.
  /// - Throws: An error if nothing is found, or if the neighbour itself is moved.
  func resolved(
    _ neighbor: (String) throws -> (id: UUID, name: String, isMoved: Bool)
  ) throws -> (Position, LocalizedText) {
    func find(_ word: String) throws -> (id: UUID, name: String) {
      let found = try neighbor(word)
      if found.isMoved {
        throw CommandError(
          "\"\(found.name.visible)\" cannot be put before or after itself.",
          "\"\(found.name.visible)\": 자기 자신의 앞이나 뒤로는 옮길 수 없습니다.")
      }
      return (found.id, found.name.visible)
    }
    switch self {
    case .first: return (.first, LocalizedText("top", "맨 위"))
    case .last: return (.last, LocalizedText("bottom", "맨 아래"))
    case .before(let word):
      let (id, name) = try find(word)
      return (.before(id: id), LocalizedText("before \"\(name)\"", "\"\(name)\" 앞"))
    case .after(let word):
      let (id, name) = try find(word)
      return (.after(id: id), LocalizedText("after \"\(name)\"", "\"\(name)\" 뒤"))
    }
  }
}

extension LocalizedText {
  /// - Parameter forms: How a move is written.
  static func unknownPlace(_ word: String, forms: String) -> LocalizedText {
    LocalizedText(
      "\"\(word.visible)\" is not a position to move to:\n\(forms)",
      "\"\(word.visible)\": 옮길 자리가 아닙니다:\n\(forms)")
  }
}
