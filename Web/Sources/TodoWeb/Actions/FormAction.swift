import Foundation
import TodoKit

/// What the body of a POST asks for: one action, named by the field `action`.
enum FormAction: Equatable, Sendable {
  /// Something that is done at once.
  case perform(TodoAction, said: Said)
  /// A new title, for an item that still has the one that was shown.
  case retitle(UUID, to: String, was: String)
  /// A deletion of items, about which the user is asked first.
  case askToDelete([UUID])
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
    func of(_ id: UUID?, _ said: Said, _ make: (UUID) -> TodoAction) -> FormAction? {
      id.map { .perform(make($0), said: said) }
    }
    let id = form.id("id")
    let read: FormAction? =
      switch form["action"] {
      case "done": of(id, .done) { .setDone([$0], true) }
      case "reopen": of(id, .reopened) { .setDone([$0], false) }
      case "star": of(id, .starred) { .setImportant([$0], true) }
      case "unstar": of(id, .unstarred) { .setImportant([$0], false) }
      case "retitle":
        id.map { .retitle($0, to: form["text"] ?? "", was: form["was"] ?? "") }
      case "move":
        if let position = Position(form) {
          of(id, .moved) { .move([$0], to: position) }
        } else {
          nil
        }
      case "delete":
        form["ask"] == "no"
          ? of(id, .deleted) { .delete([$0]) } : id.map { .askToDelete([$0]) }
      case "newGroup":
        .perform(.addGroup(GroupDraft(name: form["text"] ?? "")), said: .added)
      case "renameGroup":
        of(id, .changed) { .editGroup($0, GroupPatch(name: form["text"] ?? "")) }
      case "deleteGroup": id.map { .askToDeleteGroup($0) }
      case "confirm": form.id("token").map { .confirm(token: $0) }
      case "undo": .perform(.undo, said: .undone)
      case "redo": .perform(.redo, said: .redone)
      default: nil
      }
    guard let read else { return nil }
    self = read
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
