import Foundation
import Presentation
import TodoKit

/// The page of a list.
extension PageRenderer {
  /// What is written into the field for a new item, and what was wrong with it.
  struct Attempt {
    var line = ""
    var priority = ""
    var error: String?
    /// The group that is yet to be made.
    var newGroup: String?
  }

  /// The whole page.
  func list(
    _ parts: RenderedPage, at address: ListAddress, attempt: Attempt,
    said: String?, in text: PageText, _ theme: PageTheme
  ) -> String {
    var values = Self.labels(text)
    values.merge(Self.state(parts, at: address, text)) { $1 }
    values.merge(Self.choices(at: address, attempt, text, theme)) { $1 }
    if let error = attempt.error { values["error"] = error }
    if let name = attempt.newGroup {
      values["makeGroup"] = ["name": name, "label": text.makeGroup]
    }
    if let said { values["said"] = said }
    return page("page", values, in: text, theme)
  }

  private static func state(
    _ parts: RenderedPage, at address: ListAddress, _ text: PageText
  ) -> [String: Any] {
    let capabilities = address.list.capabilities
    let back = address.full.asQueryValue
    let listName = ListAddress.name(of: address.list)
    let extent = parts.extent
    var values: [String: Any] = [
      "parts": parts.parts,
      "sections": Dictionary(grouping: parts.rows, by: \.section).mapValues { $0.map(\.html) },
      "first": extent.first, "openCount": extent.open, "completedCount": extent.completed,
      "isEmpty": extent.total == 0,
      "version": parts.version, "path": address.path, "back": address.full, "backQuery": back,
      "events": "\(address.path)/events?language=\(text.language.rawValue)&"
        + address.full.dropFirst(address.path.count + 1),
      "listName": listName, "groupView": address.groupView.rawValue,
      "manual": "\(address.sort == .manual)", "isEditing": address.isEditing,
      "canAdd": capabilities.canAdd, "canRename": capabilities.canRename,
      "newItemPath": "/items/new?list=\(listName)&back=\(back)",
      "newGroupPath": "/groups/new?back=\(back)",
      "editGroupPath": "/groups/\(listName)/edit?back=\(back)",
      "editPath": address.with { $0.isEditing = true }.full,
      "donePath": address.with { $0.isEditing = false }.full,
    ]
    if extent.first > 0 {
      let earlier = address.with { $0.first = max(0, extent.first - ListAddress.rowCount) }
      values["earlier"] = ["path": earlier.full, "label": text.earlier]
    }
    if extent.first + ListAddress.rowCount < extent.total {
      let later = address.with { $0.first = extent.first + ListAddress.rowCount }
      values["later"] = ["path": later.full, "label": text.later]
    }
    return values
  }

  private static func choices(
    at address: ListAddress, _ attempt: Attempt, _ text: PageText, _ theme: PageTheme
  ) -> [String: Any] {
    [
      "line": attempt.line,
      "orders": ItemSort.allCases.map { sort in
        [
          "path": address.with { $0.sort = sort }.full, "name": text.orderName(sort.rawValue),
          "isCurrent": sort == address.sort,
        ] as [String: Any]
      },
      "views": ListAddress.GroupView.allCases.map { view in
        [
          "path": address.with { $0.groupView = view }.full, "name": text.viewName(view),
          "isCurrent": view == address.groupView,
        ] as [String: Any]
      },
      "priorities": Array(priorities(chosen: attempt.priority, text).dropLast()),
      "themes": PageTheme.allCases.map {
        ["value": $0.rawValue, "name": text.themeName($0), "pressed": "\($0 == theme)"]
      },
      "languages": [(Language.english, "English"), (.korean, "한국어")].map { language, name in
        ["value": language.rawValue, "name": name, "pressed": "\(language == text.language)"]
      },
    ]
  }

  /// The priorities to choose from, the highest first.
  static func priorities(chosen: String, _ text: PageText) -> [[String: Any]] {
    Priority.allCases.reversed().map { priority in
      let value = priority.word(in: .english)
      return [
        "value": value, "name": priority.word(in: text.language), "isChosen": value == chosen,
      ]
    }
  }

  private static func labels(_ text: PageText) -> [String: Any] {
    [
      "listsLabel": text.lists, "completedLabel": text.completed, "addLabel": text.addLabel,
      "add": text.add, "addHint": text.addHint, "newGroupLabel": text.newGroup,
      "groupFormLabel": text.newGroupForm, "editGroupLabel": text.editGroup,
      "undoLabel": text.undo, "redoLabel": text.redo, "emptyLabel": text.empty,
      "firstLabel": text.first, "reconnecting": text.reconnecting,
      "unsaved": text.unsaved, "sorted": text.isSorted,
      "skip": text.skip, "orderLabel": text.order, "viewLabel": text.view,
      "themeLabel": text.theme, "languageLabel": text.languageName,
      "helpLabel": text.shortcuts, "editLabel": text.edit, "doneEditingLabel": text.finish,
      "deleteAllLabel": text.deleteAll, "okLabel": text.ok, "priorityLabel": text.priority,
      "newItemLabel": text.newItem, "sheetLabel": text.sheet, "renameLabel": text.rename,
    ]
  }
}
