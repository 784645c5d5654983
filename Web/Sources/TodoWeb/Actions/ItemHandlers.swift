import Foundation
import Hummingbird
import PageServer
import Presentation
import TodoKit
import TodoPrompt

/// The form of an item, in its two modes: a new one, and one that is changed.
struct ItemHandlers: Sendable {
  /// The maximum size of a form in bytes: it has a note twice, in which a letter may be nine bytes.
  static let formBytesMax = 1 << 20

  let site: Site

  private typealias Page = FormPage<ItemFields, TodoItem>

  /// The form of a new item.
  func newForm(_ visit: Visit) throws -> Response {
    var item = TodoItem(title: "")
    item.groupID = ListAddress(name: visit.query("list") ?? "")?.list.groupID
    // Quick add tells of a variable that names no priority; here none is chosen then.
    if let priority = try? site.settings.priority() { item.priority = priority }
    return try answer(newPage(ItemFields(item), back: visit.query("back"), visit), visit)
  }

  private func newPage(_ fields: ItemFields, back: String?, _ visit: Visit) -> Page {
    Page("/items/new", visit.text.addLabel, back: back, fields)
  }

  /// Adds what the form of a new item says.
  func add(_ visit: Visit) async throws -> Response {
    let form = try await visit.form(upTo: Self.formBytesMax)
    let fields = ItemFields(form)
    do {
      var draft = try fields.draft(from: TodoItem(title: ""), site.settings)
      draft.mayLackPriority = site.settings.mayLackPriority
      let result = try await site.perform(.addTask(draft))
      return visit.succeed(form, .added, result)
    } catch let error as ValidationIssue {
      var page = newPage(fields, back: form["back"], visit)
      page.error = visit.message(for: error)
      return try answer(page, visit, Visit.status(of: error))
    } catch let error as PromptError {
      var page = newPage(fields, back: form["back"], visit)
      page.error = error.text(in: visit.text.language)
      return try answer(page, visit, .unprocessableContent)
    } catch let error as TodoError {
      return visit.refuse(error, back: form["back"])
    }
  }

  /// The form of an item that exists.
  func form(_ visit: Visit) throws -> Response {
    do {
      guard let id = visit.id("id"), let item = try site.repository.item(id) else {
        return visit.refuse(visit.text.noSuchItem, .notFound, back: visit.query("back"))
      }
      return try answer(page(item, back: visit.query("back"), visit), visit)
    } catch let error as TodoError {
      return visit.refuse(error, back: visit.query("back"))
    }
  }

  private func page(_ item: TodoItem, back: String?, _ visit: Visit) -> Page {
    Page(
      "/items/\(PageRenderer.name(of: item.id))", visit.text.editItem, back: back, of: item,
      ItemFields(item))
  }

  /// Changes what differs between the form and what it began with.
  func save(_ visit: Visit) async throws -> Response {
    let form = try await visit.form(upTo: Self.formBytesMax)
    do {
      guard let id = visit.id("id"), let item = try site.repository.item(id) else {
        return visit.refuse(visit.text.noSuchItem, .notFound, back: form["back"])
      }
      let (fields, was) = (ItemFields(form), ItemFields(form, prefix: "was-"))
      var page = page(item, back: form["back"], visit)
      page.fields = fields
      do {
        let shown = try was.item(from: item, site.settings)
        let result = try await site.perform(
          .editTask(shown, fields.draft(from: shown, site.settings)))
        return visit.succeed(form, .changed, result)
      } catch let error as ValidationIssue {
        page.was = was
        page.error = visit.message(for: error)
        return try answer(page, visit, Visit.status(of: error))
      } catch let error as PromptError {
        page.was = was
        page.error = error.text(in: visit.text.language)
        return try answer(page, visit, .unprocessableContent)
      } catch TodoError.changedSince {
        page.error = visit.text.conflicts
        let now = (try site.repository.item(id)).map { ItemFields($0) } ?? page.was ?? fields
        page.was = now
        page.conflicts = try conflicts(was, fields, now: now, visit)
        page.fields = fields.rebased(from: was, onto: now)
        return try answer(page, visit, .conflict)
      }
    } catch let error as TodoError {
      return visit.refuse(error, back: form["back"])
    }
  }

  /// The fields that somebody else has changed too.
  private func conflicts(
    _ was: ItemFields, _ wanted: ItemFields, now: ItemFields, _ visit: Visit
  ) throws -> [String] {
    let groups = try site.repository.groups()
    func shown(_ name: ItemFields.Name, _ fields: ItemFields) -> String {
      guard name == .group else { return fields[name] }
      return groups.first { PageRenderer.name(of: $0.id) == fields[name] }?.group.name ?? ""
    }
    return ItemFields.Name.allCases
      .filter { now[$0] != was[$0] && wanted[$0] != was[$0] && wanted[$0] != now[$0] }
      .map { name in
        visit.text.conflict(
          visit.text.fieldName(name), now: shown(name, now), wanted: shown(name, wanted))
      }
  }

  private func answer(
    _ page: Page, _ visit: Visit, _ status: HTTPResponse.Status = .ok
  ) throws -> Response {
    let text = visit.text
    let groups = try site.repository.groups()
    var values = page.values(text)
    values.merge([
      "titleLabel": text.title, "priorityLabel": text.priority, "dueLabel": text.due,
      "timeLabel": text.time, "groupLabel": text.group, "tagsLabel": text.tags,
      "noteLabel": text.note, "planLabel": text.plan, "planHint": text.planHint,
      "deleteLabel": text.deleteItem,
      "priorities": PageRenderer.priorities(chosen: page.fields[.priority], text),
    ]) { $1 }
    for name in [ItemFields.Name.title, .due, .dueTime, .plan, .tags, .note] {
      values[name.rawValue] = page.fields[name]
    }
    values["groups"] =
      ([("", text.ungrouped)] + groups.map { (PageRenderer.name(of: $0.id), $0.group.name.shown) })
      .map { value, name -> [String: Any] in
        ["value": value, "name": name, "isChosen": value == page.fields[.group]]
      }
    values.merge(visit.crumbs(back: page.back, groups)) { $1 }
    if let id = page.subject?.id { values["id"] = PageRenderer.name(of: id) }
    return visit.ask(visit.page("item", values), status)
  }
}

extension Visit {
  /// The path from all lists to a form that was opened on the page of a list.
  func crumbs(back: String, _ groups: [GroupSummary]) -> [String: Any] {
    let name = back.dropFirst("/lists/".count).prefix { $0 != "?" }
    var crumbs = [["path": "/lists/all", "name": text.lists]]
    switch ListAddress(name: String(name))?.list {
    case .group(let id):
      let group = groups.first { $0.id == id }?.group.name
      if let group { crumbs.append(["path": back, "name": group.shown]) }
    case .important: crumbs.append(["path": back, "name": text.important])
    case .ungrouped: crumbs.append(["path": back, "name": text.ungrouped])
    case .all, nil: crumbs.append(["path": back, "name": text.all])
    }
    return ["crumbs": crumbs, "crumbsLabel": text.path]
  }
}
