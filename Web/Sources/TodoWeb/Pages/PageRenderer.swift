import Foundation
import Mustache
import Presentation
import TodoKit

/// Turns states into HTML with the embedded templates; every text is escaped by them.
struct PageRenderer: Sendable {
  private let templates: MustacheLibrary

  /// Reads the templates.
  init() throws {
    var templates = MustacheLibrary()
    for (name, bytes) in [
      ("page", PackageResources.page_mustache), ("row", PackageResources.row_mustache),
      ("list", PackageResources.list_mustache),
      ("question", PackageResources.question_mustache),
      ("message", PackageResources.message_mustache),
      ("refusal", PackageResources.refusal_mustache),
    ] {
      try templates.register(String(decoding: bytes, as: UTF8.self), named: name)
    }
    self.templates = templates
  }

  private func render(_ values: [String: Any], _ template: String) -> String {
    templates.render(values, withTemplate: template) ?? ""
  }

  /// The parts of a page that events carry.
  ///
  /// - Parameter last: The last state of the page; rows that did not change are taken from it.
  func parts(
    of shown: ShownPage, at address: ListAddress, today: CalendarDay, time: TimeOfDay,
    in text: PageText, reusing last: RenderedPage? = nil
  ) -> RenderedPage {
    var names: [UUID: String] = [:]
    for group in shown.page.groups { names[group.id] = group.name }
    var old: [RenderedPage.Source: RenderedPage.Row] = [:]
    for row in last?.rows ?? [] { if let source = row.source { old[source] = row } }
    let showsGroup = address.list.groupID == nil
    let rows = shown.page.items.map { item in
      let source = RenderedPage.Source(
        item: item, group: showsGroup ? item.groupID.flatMap { names[$0] } : nil,
        isOverdue: item.isOverdue(on: today, at: time))
      if let row = old[source] { return row }
      return RenderedPage.Row(
        id: "item-" + Self.name(of: item.id), section: item.isDone ? "completed" : "open",
        html: row(
          item, group: source.group, isOverdue: source.isOverdue, address.starting(at: 0), text),
        source: source)
    }
    let tally = shown.tally(of: address.list)
    let (own, groups) = lists(shown, at: address, text)
    return RenderedPage(
      rows: rows + own + groups,
      parts: [
        "name": Self.escaped(tally.map { _ in name(of: address.list, in: shown, text) } ?? ""),
        "count": text.count(open: tally?.undone ?? 0, total: tally?.total ?? 0),
      ],
      // By the page and not by the tally, which may be of another commit.
      extent: .init(
        first: address.first,
        open: shown.page.hidden.undone + shown.page.items.count { !$0.isDone },
        completed: shown.page.hidden.done + shown.page.items.count(where: \.isDone)),
      exists: tally != nil)
  }

  /// Text as HTML, also within quotes.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  private func row(
    _ item: TodoItem, group: String?, isOverdue: Bool, _ address: ListAddress, _ text: PageText
  ) -> String {
    var values: [String: Any] = [
      "id": Self.name(of: item.id), "title": item.title, "isDone": item.isDone,
      "isImportant": item.isImportant, "doneAction": item.isDone ? "reopen" : "done",
      "starAction": item.isImportant ? "unstar" : "star", "back": address.full,
      "doneLabel": text.done, "starLabel": text.star, "deleteLabel": text.delete,
      "tags": item.tags, "isOverdue": isOverdue, "titleLabel": text.title,
      "checked": item.isDone ? "true" : "false", "pressed": item.isImportant ? "true" : "false",
    ]
    if item.priority != .none {
      values["priority"] = item.priority.word(in: text.language)
      values["priorityClass"] = "\(item.priority)"
    }
    if let group { values["group"] = group }
    if let due = item.due { values["due"] = item.dueTime.map { "\(due) \($0)" } ?? "\(due)" }
    return render(values, "row")
  }

  /// The rows of the lists: those of the program's own, and the groups.
  private func lists(
    _ shown: ShownPage, at address: ListAddress, _ text: PageText
  ) -> (own: [RenderedPage.Row], groups: [RenderedPage.Row]) {
    func row(
      _ section: String, _ list: ItemList, _ name: String, _ tally: Tally, _ color: RGBA?
    ) -> RenderedPage.Row {
      let id = "list-" + ListAddress.name(of: list)
      // The circle's length is 100, so that a part of it is a percentage.
      var values: [String: Any] = [
        "path": ListAddress(list, sort: address.sort).full, "name": name, "open": tally.undone,
        "count": text.count(open: tally.undone, total: tally.total),
        "percent": Int((tally.progress * 100).rounded()), "id": id,
      ]
      if list == address.list { values["isCurrent"] = true }
      if let color { values["color"] = "\(RGBA(rawValue: color.rawValue | 0xFF))" }
      return RenderedPage.Row(id: id, section: section, html: render(values, "list"))
    }
    return (
      [
        row("own", .all, text.all, shown.all, nil),
        row("own", .important, text.important, shown.important, nil),
        row("own", .ungrouped, text.ungrouped, shown.ungrouped, nil),
      ],
      shown.groups.map {
        row("groups", .group(id: $0.id), $0.group.name, $0.tally, $0.group.color)
      }
    )
  }

  private func name(of list: ItemList, in shown: ShownPage, _ text: PageText) -> String {
    switch list {
    case .all: text.all
    case .important: text.important
    case .ungrouped: text.ungrouped
    case .group(let id): shown.groups.first { $0.id == id }?.group.name ?? ""
    }
  }

  /// What is written into the field for a new item, and what was wrong with it.
  struct Attempt {
    var line = ""
    var error: String?
    /// The group that is yet to be made.
    var newGroup: String?
  }

  /// A whole page.
  func page(
    _ parts: RenderedPage, at address: ListAddress, attempt: Attempt = Attempt(),
    said: String? = nil, in text: PageText
  ) -> String {
    let capabilities = address.list.capabilities
    let extent = parts.extent
    var values: [String: Any] = [
      "language": text.language.rawValue, "parts": parts.parts,
      "sections": Dictionary(grouping: parts.rows, by: \.section).mapValues { $0.map(\.html) },
      "path": address.path, "first": extent.first, "openCount": extent.open,
      "completedCount": extent.completed,
      "back": address.full, "version": parts.version, "isEmpty": extent.total == 0,
      "events": address.full.replacing(address.path, with: "\(address.path)/events"),
      "canAdd": capabilities.canAdd, "canRename": capabilities.canRename,
      "line": attempt.line, "listsLabel": text.lists, "completedLabel": text.completed,
      "addLabel": text.addLabel, "add": text.add, "addHint": text.addHint,
      "newGroupLabel": text.newGroup, "renameLabel": text.rename,
      "deleteGroupLabel": text.deleteGroup, "deleteLabel": text.delete, "undoLabel": text.undo,
      "redoLabel": text.redo, "emptyLabel": text.empty, "reconnecting": text.reconnecting,
      "dismissLabel": text.dismiss,
      "save": text.save, "skip": text.skip,
      "orderLabel": text.order, "manual": address.sort == .manual,
      "orders": ItemSort.allCases.map { sort in
        [
          "path": ListAddress(address.list, sort: sort).full,
          "name": text.orderName(sort.rawValue), "isCurrent": sort == address.sort,
        ] as [String: Any]
      },
    ]
    if extent.first > 0 {
      let earlier = address.starting(at: extent.first - ListAddress.rowCount)
      values["earlier"] = ["path": earlier.full, "label": text.earlier]
    }
    if extent.first + ListAddress.rowCount < extent.total {
      let later = address.starting(at: extent.first + ListAddress.rowCount)
      values["later"] = ["path": later.full, "label": text.later]
    }
    if let id = address.list.groupID { values["groupID"] = Self.name(of: id) }
    if let error = attempt.error { values["error"] = error }
    if let name = attempt.newGroup {
      values["makeGroup"] = ["name": name, "label": text.makeGroup]
    }
    if let said { values["said"] = said }
    return render(values, "page")
  }

  /// A question that is answered by a form.
  func question(_ asked: String, token: UUID, back: String, in text: PageText) -> String {
    render(
      [
        "language": text.language.rawValue, "question": asked, "token": token.uuidString,
        "back": back, "delete": text.delete, "cancel": text.cancel,
      ], "question")
  }

  /// A page that says what is wrong.
  func message(_ message: String, back: String, in text: PageText) -> String {
    render(
      [
        "language": text.language.rawValue, "message": message, "back": back,
        "backLabel": text.back,
      ], "message")
  }

  /// The page for somebody without a link; it needs no other file of the server.
  func refusal(in text: PageText) -> String {
    render(
      [
        "language": text.language.rawValue, "message": text.linkNeeded, "how": text.howToGetALink,
      ], "refusal")
  }

  /// An id as the page writes it.
  static func name(of id: UUID) -> String { id.uuidString.lowercased() }
}
