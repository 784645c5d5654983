import Presentation
import TodoKit

/// A list of items that a command names.
struct SelectedList {
  let list: ItemList
  /// The group it shows; nil for lists that are no group.
  let group: TodoGroup?

  /// What the list is called.
  var name: LocalizedText {
    if let group { return LocalizedText(group.name, group.name) }
    return switch list {
    case .important: .important
    case .ungrouped: .ungrouped
    case .all, .group: .all
    }
  }
}

/// Turns a name into the list it means.
///
/// Names are compared without the white space around them and whatever their normal form. One that
/// no group has is compared once more without regard to case; if several fit, none is
/// chosen. A sign `@` before a name says that it is a group's.
struct GroupSelection {
  let groups: [GroupSummary]

  /// The list that a name means: a group's, `important`, or `none` for what has no group.
  func list(_ name: String) throws(CommandError) -> SelectedList {
    if let list = Self.ownList(name) { return SelectedList(list: list, group: nil) }
    // No group can have its name, so the sign before it leaves no doubt; words of `add` have one.
    if let bare = name.after("@"), Self.ownList(bare) == .important, try find(name) == nil {
      return SelectedList(list: .important, group: nil)
    }
    let group = try group(name)
    return SelectedList(list: .group(id: group.id), group: group)
  }

  /// The group that a name means; refused with what there is when it means none.
  func group(_ name: String) throws(CommandError) -> TodoGroup {
    if Self.ownList(name) == .important { throw CommandError(.importantStays) }
    guard let group = try find(name) else {
      throw CommandError(.noSuchGroup(name, groups: groups.map(\.group.name)))
    }
    return group
  }

  /// The group to put items into; nil for `none`.
  func destination(_ name: String) throws(CommandError) -> TodoGroup? {
    let selected = try list(name)
    if !selected.list.capabilities.canAdd { throw CommandError(.importantTakesNoItems) }
    return selected.group
  }

  /// The group that has the name, if one has.
  func find(_ name: String) throws(CommandError) -> TodoGroup? {
    for name in [name, name.after("@")].compactMap({ $0?.trimmed }) {
      if let group = groups.first(where: { $0.group.name == name }) { return group.group }
      let alike = groups.filter { $0.group.name.lowercased() == name.lowercased() }
      if alike.count > 1 {
        throw CommandError(.ambiguousGroup(name, groups: alike.map(\.group.name)))
      }
      if let group = alike.first { return group.group }
    }
    return nil
  }

  /// The list that is no group and has this name; nil where none has.
  static func ownList(_ name: String) -> ItemList? {
    switch name.trimmed.lowercased() {
    case "none", "없음": return .ungrouped
    default: break
    }
    // The domain knows which names no group can have, in which languages.
    let issue = Validator.groupName.validate(name).firstError
    return issue?.code == .reservedName ? .important : nil
  }
}

extension String {
  /// The text without white space at both ends.
  var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
