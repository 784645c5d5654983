import Foundation
import Mustache
import PageServer
import Presentation
import TodoKit

/// Turns states into HTML with the embedded templates; every text is escaped by them.
struct PageRenderer: Sendable {
  private let templates: MustacheLibrary

  /// Reads the templates.
  init() throws {
    HTMLEscaping.register()
    var templates = MustacheLibrary()
    func register(_ template: String, named name: String) throws {
      try templates.register(HTMLEscaping.pragma + template, named: name)
    }
    for (name, bytes) in [
      ("head", PackageResources.head_mustache), ("icons", PackageResources.icons_mustache),
      ("page", PackageResources.page_mustache), ("row", PackageResources.row_mustache),
      ("list", PackageResources.list_mustache), ("chips", PackageResources.chips_mustache),
      ("question", PackageResources.question_mustache),
      ("message", PackageResources.message_mustache),
      ("item", PackageResources.item_mustache), ("group", PackageResources.group_mustache),
      ("help", PackageResources.help_mustache),
      ("history", PackageResources.history_mustache),
      ("refusal", PackageResources.refusal_mustache),
    ] {
      try register(String(decoding: bytes, as: UTF8.self), named: name)
    }
    try register("{{name}}", named: "name")
    try register(#"{{#picture}}<img src="{{picture}}" alt="">{{/picture}}"#, named: "picture")
    self.templates = templates
  }

  /// Renders a template.
  func render(_ values: [String: Any], _ template: String) -> String {
    templates.render(values, withTemplate: template) ?? ""
  }

  /// Renders a whole page in a language and in the colours of a browser.
  func page(
    _ template: String, _ values: [String: Any], in text: PageText, _ theme: PageTheme
  ) -> String {
    var values = values
    values["language"] = text.language.rawValue
    if theme != .automatic { values["theme"] = theme.rawValue }
    return render(values, template)
  }

  /// The parts of a page that events carry.
  ///
  /// - Parameter last: The last state of the page; rows that did not change are taken from it.
  func parts(
    of shown: TodoOverview, at address: ListAddress, today: CalendarDay, time: TimeOfDay,
    in text: PageText, reusing last: RenderedPage? = nil
  ) -> RenderedPage {
    var names: [UUID: String] = [:]
    for group in shown.page.groups { names[group.id] = group.name }
    var old: [RenderedPage.Source: RenderedPage.Row] = [:]
    for row in last?.rows ?? [] { if let source = row.source { old[source] = row } }
    let showsGroup = address.list.groupID == nil
    let back = address.with { $0.first = 0 }.full.asQueryValue
    let rows = shown.page.items.map { item in
      let day = item.due.map { text.day($0, today: today) }
      let source = RenderedPage.Source(
        item: item, group: showsGroup ? item.groupID.flatMap { names[$0] } : nil,
        isOverdue: item.isOverdue(on: today, at: time),
        due: day.map { day in item.dueTime.map { "\(day) \($0)" } ?? day })
      return old[source] ?? row(of: source, back: back, text)
    }
    let tally = shown.tally(of: address.list)
    var values: [String: Any] = [
      "name": name(of: address.list, in: shown, text),
      "undoLabel": text.undo, "redoLabel": text.redo,
      "canUndo": shown.undo != nil, "canRedo": shown.redo != nil,
    ]
    values["picture"] = shown.group(of: address.list)?.picturePath
    let waiting = shown.page.waiting
    let open = (tally?.undone ?? 0) - waiting
    var count = text.count(open: open, total: tally?.total ?? 0)
    if waiting > 0 { count += ", " + text.hidden(waiting) }
    let shared = shown.unsent.map(text.shared) ?? ""
    return RenderedPage(
      rows: rows + lists(shown, at: address, text),
      parts: [
        "name": render(values, "name"), "picture": render(values, "picture"),
        "history": render(values, "history"),
        "count": count, "shared": shared,
      ],
      extent: .init(first: address.first, open: open, completed: tally?.done ?? 0),
      exists: tally != nil)
  }

  /// The row of an item.
  private func row(
    of source: RenderedPage.Source, back: String, _ text: PageText
  ) -> RenderedPage.Row {
    let item = source.item
    let id = Self.name(of: item.id)
    var values: [String: Any] = [
      "id": id, "title": item.title.shown, "isDone": item.isDone,
      "doneAction": item.isDone ? "reopen" : "done",
      "starAction": item.isImportant ? "unstar" : "star", "path": "/items/\(id)?back=\(back)",
      "doneLabel": text.done, "starLabel": text.star, "deleteLabel": text.delete,
      "detailsLabel": text.details, "checked": "\(item.isDone)", "pressed": "\(item.isImportant)",
      "priorityClass": "\(item.priority)", "isOverdue": source.isOverdue,
    ]
    if let group = item.groupID { values["groupID"] = Self.name(of: group) }
    var facts: [String: Any] = [:]
    if item.priority != .none { facts["priority"] = item.priority.word(in: text.language) }
    if let due = item.due {
      facts["due"] = source.due
      facts["dueISO"] = "\(due)" + (item.dueTime.map { "T\($0)" } ?? "")
    }
    if let rule = item.repeats { facts["repeats"] = text.rule(rule) }
    if let group = source.group { facts["group"] = group.shown }
    if !item.tags.isEmpty { facts["tags"] = item.tags.map(\.shown) }
    if let line = item.note.split(separator: "\n").first {
      facts["note"] = String(line.prefix(80)).shown
    }
    values["hasFacts"] = !facts.isEmpty
    values.merge(facts) { $1 }
    return RenderedPage.Row(
      id: "item-" + id, section: item.isDone ? "completed" : "open",
      html: render(values, "row").trimmingCharacters(in: .newlines), source: source)
  }

  /// The rows of the lists: those of the program's own, and the groups.
  private func lists(
    _ shown: TodoOverview, at address: ListAddress, _ text: PageText
  ) -> [RenderedPage.Row] {
    func row(
      _ list: ItemList, _ name: String, _ tally: Tally, icon: String? = nil,
      group: GroupSummary? = nil
    ) -> RenderedPage.Row {
      let key = ListAddress.name(of: list)
      // The circle's length is 100, so that a part of it is a percentage.
      var values: [String: Any] = [
        "id": "list-" + key, "path": Self.path(of: list, from: address), "name": name.shown,
        "open": tally.undone, "count": text.count(open: tally.undone, total: tally.total),
        "percent": Int((tally.progress * 100).rounded()), "key": key, "isGroup": group != nil,
        "isCurrent": list == address.list,
      ]
      if let icon { values["icon"] = icon }
      if let group { values["color"] = "\(group.group.color.opaque)" }
      if let picture = group?.picturePath { values["picture"] = picture }
      return RenderedPage.Row(
        id: "list-" + key, section: group == nil ? "own" : "groups",
        html: render(values, "list").trimmingCharacters(in: .newlines))
    }
    let own = [
      row(.all, text.all, shown.all, icon: "all"),
      row(.important, text.important, shown.important, icon: "star"),
      row(.ungrouped, text.ungrouped, shown.ungrouped, icon: "none"),
    ]
    return own
      + shown.groups.map { row(.group(id: $0.id), $0.group.name, $0.tally, group: $0) }
  }

  /// The address of another list, in the order and view of a page.
  private static func path(of list: ItemList, from address: ListAddress) -> String {
    var other = ListAddress(list, sort: address.sort)
    other.groupView = address.groupView
    return other.full
  }

  private func name(of list: ItemList, in shown: TodoOverview, _ text: PageText) -> String {
    switch list {
    case .all: text.all
    case .important: text.important
    case .ungrouped: text.ungrouped
    case .group(let id): shown.groups.first { $0.id == id }?.group.name.shown ?? ""
    }
  }

  /// The page for somebody without a link; it needs no other file of the server.
  func refusal(in text: PageText) -> String {
    render(
      [
        "language": text.language.rawValue, "message": text.linkNeeded, "how": text.howToGetALink,
        "orInAClone": text.orInAClone,
      ], "refusal")
  }

  /// An id as the page writes it.
  static func name(of id: UUID) -> String { id.uuidString.lowercased() }
}

extension RGBA {
  /// The colour without transparency.
  var opaque: RGBA { RGBA(rawValue: rawValue | 0xFF) }
}

extension GroupSummary {
  /// The address of its picture, another one for another picture; nil without one.
  var picturePath: String? {
    picture.map { "/groups/\(PageRenderer.name(of: id))/picture?v=\($0)" }
  }
}
