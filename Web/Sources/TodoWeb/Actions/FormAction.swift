import Foundation
import TodoKit

/// What the body of a POST asks for: one action, named by the field `action`.
///
/// A button of a row has the item's id after the name: `done 0190...`. Other forms have it in the
/// field `id`.
enum FormAction: Equatable, Sendable {
  /// Something that is done at once.
  case perform(TodoAction, said: Said)
  /// Undo of one command, if it is still the last one, by its mark.
  case undo(mark: String)
  /// A new title, for an item that still has the one that was shown.
  case retitle(UUID, to: String, was: String)
  /// A deletion of items, about which the user is asked first.
  case askToDelete([UUID])
  /// A deletion of all items of a list, about which the user is asked first.
  case askToDeleteAll(ItemList)
  /// A deletion of a group with what it contains, about which the user is asked first.
  case askToDeleteGroup(UUID)
  /// The answer yes to a question.
  case confirm(token: UUID)

  /// What the page says when it is done.
  enum Said: String, Sendable {
    case done, reopened, starred, unstarred, deleted, changed, moved, added, undone, redone
  }

  /// Reads a form.
  ///
  /// - Returns: The action; nil for a form that no page of this server has.
  init?(_ form: FormFields) {
    let words = (form["action"] ?? "").split(separator: " ", maxSplits: 1).map(String.init)
    let id = words.count > 1 ? UUID(uuidString: words[1]) : form.id("id")
    guard let name = words.first,
      let action = Self.ofItems(name, id, form) ?? Self.ofGroups(name, id, form)
        ?? Self.ofAnswers(name, form)
    else { return nil }
    self = action
  }

  private static func ofItems(_ name: String, _ id: UUID?, _ form: FormFields) -> FormAction? {
    guard let id else { return nil }
    switch name {
    case "done": return .perform(.setDone([id], true), said: .done)
    case "reopen": return .perform(.setDone([id], false), said: .reopened)
    case "star": return .perform(.setImportant([id], true), said: .starred)
    case "unstar": return .perform(.setImportant([id], false), said: .unstarred)
    case "retitle": return .retitle(id, to: form["text"] ?? "", was: form["was"] ?? "")
    case "priority":
      guard let priority = form["priority"].flatMap(Priority.init(word:)) else { return nil }
      let action: TodoAction =
        priority == .none ? .removePriority([id]) : .setPriority([id], priority)
      return .perform(action, said: .changed)
    case "group":
      let group = form.id("group")
      guard group != nil || form["group"] == "ungrouped" else { return nil }
      return .perform(.setGroup([id], group), said: .moved)
    case "move": return Position(form).map { .perform(.move([id], to: $0), said: .moved) }
    case "delete":
      return form["ask"] == "no" ? .perform(.delete([id]), said: .deleted) : .askToDelete([id])
    default: return nil
    }
  }

  private static func ofGroups(_ name: String, _ id: UUID?, _ form: FormFields) -> FormAction? {
    switch name {
    case "newGroup":
      return .perform(.addGroup(GroupDraft(name: form["text"] ?? "")), said: .added)
    case "renameGroup":
      return id.map {
        .perform(.editGroup($0, GroupPatch(name: form["text"] ?? "")), said: .changed)
      }
    case "moveGroup":
      guard let id, let position = Position(form) else { return nil }
      return .perform(.moveGroup(id, to: position), said: .moved)
    case "deleteGroup": return id.map { .askToDeleteGroup($0) }
    case "deleteAll":
      return ListAddress(name: form["list"] ?? "").map { .askToDeleteAll($0.list) }
    default: return nil
    }
  }

  private static func ofAnswers(_ name: String, _ form: FormFields) -> FormAction? {
    switch name {
    case "confirm": form.id("token").map { .confirm(token: $0) }
    case "undo": form["top"].map { .undo(mark: $0) } ?? .perform(.undo, said: .undone)
    case "redo": .perform(.redo, said: .redone)
    default: nil
    }
  }
}

extension CommandHistory {
  /// What tells the command that undo would undo from others, in this process; nil for none.
  var mark: String? { undo.map { String(UInt(bitPattern: $0.hashValue), radix: 16) } }
}

extension Position {
  /// Reads the fields `before` or `after`, or `to` with `first` or `last`; nil without them.
  fileprivate init?(_ form: FormFields) {
    if let id = form.id("before") {
      self = .before(id: id)
    } else if let id = form.id("after") {
      self = .after(id: id)
    } else if form["to"] == "first" {
      self = .first
    } else if form["to"] == "last" {
      self = .last
    } else {
      return nil
    }
  }
}
