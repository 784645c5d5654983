import CroftFoundation
import LineEditing
import Presentation
import TodoFormats
import TodoKit

/// A list of items that a command names.
struct SelectedList {
  let list: ItemList
  let group: TodoGroup?

  var name: LocalizedText {
    if let group { return LocalizedText(group.name, group.name) }
    return switch list {
    case .important: .important
    case .ungrouped: LocalizedText("No group", "그룹 없음")
    case .all, .group: LocalizedText("All", "전체")
    }
  }

  /// The group to put items into; nil for items without a group.
  func destination() throws -> TodoGroup? {
    if let group { return group }
    if !list.capabilities.canAdd {
      throw CommandError(
        "Important shows what has a star; nothing is added to it. Try: star 3",
        "중요 목록은 별표한 할일을 보여 줍니다. 바로 추가할 수 없습니다. 예: star 3")
    }
    return nil
  }
}

/// The group that a line puts items into; with neither of the two the items have no group.
struct GroupTarget {
  /// The group, if it exists already.
  var group: TodoGroup?
  /// The name of a group that the command makes together with what it does to the items.
  var newName: String?
}

extension Session {
  /// Finds groups by their names.
  func groups() -> GroupSelection { GroupSelection(repository: repository) }

  /// The group to put items into, which the command makes if it does not exist.
  ///
  /// - Throws: An error for the name of a list that takes no items; for a new name where the user
  ///   does not want the group, or cannot be asked and has not written `--yes`.
  func groupTarget(_ name: String) throws -> GroupTarget {
    let groups = groups()
    if let list = try groups.findList(name) { return GroupTarget(group: try list.destination()) }
    let new = name.after("@") ?? name
    if preferences.assumesYes { return GroupTarget(newName: new) }
    let error = CommandError(.noSuchGroup(name, groups: try groups.names()))
    guard let questions else {
      throw error.hinting(
        "--yes makes it, and so does: group add \(new.visible)",
        "--yes를 쓰거나 group add \(new.visible.with(.direction)) 만드세요.")
    }
    environment.output.flush()
    let question = LocalizedText(
      "There is no group \"\(new.visible)\". Make it? [y/N] ",
      "\"\(new.visible)\" 그룹이 없습니다. 만들까요? [y/N] ")
    guard questions.confirm(question) else { throw error }
    return GroupTarget(newName: new)
  }
}

/// Turns a name into the list it means.
///
/// Names are compared without the white space around them, and in any normal form. A name that no
/// group has is compared again without regard to case; if several groups match, it is refused. An
/// `@` before a name says that it is the name of a group.
struct GroupSelection {
  /// Opens the list, which a name of a built-in list does not need.
  let repository: () throws -> any TodoRepository

  /// The list that a name means: a group, `important`, or `none` for items without a group.
  func list(_ name: String) throws -> SelectedList {
    if let list = try findList(name) { return list }
    throw CommandError(.noSuchGroup(name, groups: try names()))
  }

  /// The list that a name means; nil where no list has it.
  func findList(_ name: String) throws -> SelectedList? {
    if let list = Self.builtInList(name) { return SelectedList(list: list, group: nil) }
    if let group = try find(name) { return SelectedList(list: .group(id: group.id), group: group) }
    // No group can have this name, so it means the list with the sign too.
    let list = name.after("@").flatMap(Self.builtInList)
    return list.map { SelectedList(list: $0, group: nil) }
  }

  func names() throws -> [String] {
    try repository().groups().map(\.group.name)
  }

  /// The group that a name means; the error for an unknown name lists the groups.
  func group(_ name: String) throws -> TodoGroup {
    if Self.builtInList(name) == .important {
      throw CommandError(
        "Important shows what has a star; it cannot be changed, moved or deleted.",
        "중요 목록은 별표한 할일을 보여 줍니다. 바꾸거나 옮기거나 삭제할 수 없습니다.")
    }
    guard let group = try find(name) else {
      throw CommandError(.noSuchGroup(name, groups: try names()))
    }
    return group
  }

  func find(_ name: String) throws -> TodoGroup? {
    try find(named: name.trimmed) ?? name.after("@").flatMap { try find(named: $0.trimmed) }
  }

  private func find(named name: String) throws -> TodoGroup? {
    let alike = try repository().groups(named: name)
    if let group = alike.first(where: { $0.name == name }) { return group }
    if alike.count > 1 {
      throw CommandError(
        LocalizedText(
          "\"\(name.visible)\" may be any of these groups; write its capitals too:",
          "\(name.visible.inQuotes(.topic)) 다음 그룹 가운데 어느 것일 수도 있습니다. 대소문자까지 맞춰 쓰세요:"
        ).followed(by: alike.map { "  " + $0.name.visible }))
    }
    return alike.first
  }

  /// The list other than a group that has this name; nil if there is none.
  static func builtInList(_ name: String) -> ItemList? {
    // The domain knows the names that no group can have, in its languages.
    if !GroupName.isReserved(name) { return nil }
    return name.meansNone ? .ungrouped : .important
  }
}

/// The names of groups, for showing items.
struct GroupNames {
  private var names: [UUID: String] = [:]

  init(_ groups: [TodoGroup] = []) {
    for group in groups { names[group.id] = group.name }
  }

  func adding(_ groups: [TodoGroup]) -> GroupNames {
    var names = self
    for group in groups { names.names[group.id] = group.name }
    return names
  }

  subscript(_ item: TodoItem) -> String? { item.groupID.flatMap { names[$0] } }
}

extension LocalizedText {
  /// The list of items with a star.
  static let important = LocalizedText("Important", "중요")

  static let noGroups = LocalizedText(
    "No groups yet. Try: group add home", "아직 그룹이 없습니다. 예: group add 집안일")

  /// - Parameter groups: The names of all there are.
  static func noSuchGroup(_ name: String, groups: [String]) -> LocalizedText {
    LocalizedText(
      "There is no group \"\(name.visible)\".", "\"\(name.visible)\" 그룹은 없습니다."
    ).followed(by: [.groupsThereAre(groups)])
  }

  static func groupsThereAre(_ groups: [String]) -> LocalizedText {
    if groups.isEmpty { return noGroups }
    let names = groups.prefix(10).map { "\"\($0.visible)\"" }.joined(separator: ", ")
    let rest = groups.count > 10 ? ", ..." : ""
    return LocalizedText("There is: \(names)\(rest)", "있는 그룹: \(names)\(rest)")
  }

  /// The help of verbs that take a group.
  static let groupsHelp = LocalizedText(
    "  A GROUP is named by its name; @ before it says that no number or id is meant.",
    "  GROUP에는 그룹 이름을 씁니다. 번호나 id로 보일 이름 앞에는 @를 붙입니다.")
}
