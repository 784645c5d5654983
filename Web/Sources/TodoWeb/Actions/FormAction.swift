import Foundation
import PageServer
import TodoKit
import TodoScreens

/// What the body of a POST asks for: one action, named by the field `action`.
///
/// A button of a row has the item's id after the name: `done 0190...`. Other forms have it in the
/// field `id`.
enum FormAction: Equatable, Sendable {
  /// Something that is done at once.
  case perform(TodoAction, said: Said)
  /// What the user does to a row of the open list; a question where nothing is said.
  case intent(ListIntent, on: ShownRow, said: Said?)
  /// A new list of this name.
  case addList(String)
  /// Another name for a list, in place of the one that the page shows; nil for any.
  case renameList(UUID, from: String?, to: String)
  /// Another place for a list.
  case moveList(UUID, to: Position)
  /// A deletion of all items of a list, about which the user is asked first.
  case askToDeleteAll(ItemList)
  /// A deletion of a group with what it contains, about which the user is asked first.
  case askToDeleteGroup(UUID)
  /// The answer yes to a question.
  case confirm(token: UUID)
  /// The answer no to a question.
  case cancel(token: UUID)

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
    // The button of a row names what is not shown, so that a second press changes nothing.
    case "done": return .intent(.toggleDone(id: id), on: ShownRow(id, isDone: false), said: .done)
    case "reopen":
      return .intent(.toggleDone(id: id), on: ShownRow(id, isDone: true), said: .reopened)
    case "star":
      return .intent(
        .toggleImportant(id: id), on: ShownRow(id, isImportant: false), said: .starred)
    case "unstar":
      return .intent(
        .toggleImportant(id: id), on: ShownRow(id, isImportant: true), said: .unstarred)
    case "retitle":
      return .intent(
        .retitleTask(id: id, title: form["text"] ?? ""), on: ShownRow(id, title: form["was"] ?? ""),
        said: .changed)
    case "priority":
      guard let priority = form["priority"].flatMap(Priority.init(word:)) else { return nil }
      if priority == .none { return .perform(.removePriority([id]), said: .changed) }
      return .intent(
        .setPriority(id: id, priority: priority), on: ShownRow(id), said: .changed)
    case "group":
      let group = form.id("group")
      guard group != nil || form["group"] == "ungrouped" else { return nil }
      return .perform(.setGroup([id], group), said: .moved)
    case "move": return Position(form).map { .perform(.move([id], to: $0), said: .moved) }
    case "delete":
      if form["ask"] == "no" { return .perform(.delete([id]), said: .deleted) }
      return .intent(.askToDelete(items: [id]), on: ShownRow(id), said: nil)
    default: return nil
    }
  }

  private static func ofGroups(_ name: String, _ id: UUID?, _ form: FormFields) -> FormAction? {
    switch name {
    case "newGroup":
      return .addList(form["text"] ?? "")
    case "renameGroup":
      return id.map { .renameList($0, from: form["was"], to: form["text"] ?? "") }
    case "moveGroup":
      guard let id, let position = Position(form) else { return nil }
      return .moveList(id, to: position)
    case "deleteGroup": return id.map { .askToDeleteGroup($0) }
    case "deleteAll":
      return ListAddress(name: form["list"] ?? "").map { .askToDeleteAll($0.list) }
    default: return nil
    }
  }

  private static func ofAnswers(_ name: String, _ form: FormFields) -> FormAction? {
    switch name {
    case "confirm": form.id("token").map { .confirm(token: $0) }
    case "cancel": form.id("token").map { .cancel(token: $0) }
    case "undo":
      // Undo without a step takes back the last command of any program.
      if let step = form["top"] {
        HistoryStep(step).map {
          .perform(.ifUnchanged(ExpectedState(lastStep: $0), then: .undo), said: .undone)
        }
      } else {
        .perform(.undo, said: .undone)
      }
    case "redo": .perform(.redo, said: .redone)
    default: nil
    }
  }
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
