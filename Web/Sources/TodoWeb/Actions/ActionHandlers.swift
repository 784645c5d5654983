import Foundation
import HTTPTypes
import Hummingbird
import PageServer
import Presentation
import TodoKit
import TodoPrompt
import TodoScreens

/// What the server answers to forms of a list: a new item in one line, and one action at a time.
///
/// Each form is one ``FormAction``, which goes through the screen that has it: rows of a list are a store of
/// intents, all lists are presenters, and what remains is the view model of the list screens.
struct ActionHandlers: Sendable {
  let site: Site

  /// Adds an item that a line describes, in the grammar of the prompt's `add`.
  func add(_ visit: Visit) async throws -> Response {
    guard let address = visit.address else { return visit.noSuchPage() }
    let form = try await visit.form()
    let line = form["line"] ?? ""
    let text = visit.text
    guard address.list.capabilities.canAdd else {
      return visit.refuse(text.takesNoItems, .conflict, back: form["back"])
    }
    var attempt = PageRenderer.Attempt(line: line, priority: form["priority"] ?? "")
    do {
      let typed = try TypedTask(
        line: line, in: address.list.groupID, of: site.repository, settings: site.settings,
        priority: Priority(word: attempt.priority))
      if let name = typed.newGroup, form["makeGroup"] != name {
        attempt.newGroup = name
        attempt.error = text.noSuchGroup(name)
      } else {
        let action = TodoAction.addTask(typed.draft, inNewGroup: typed.newGroup)
        let result = try await site.perform(action)
        return visit.succeed(form, .added, result)
      }
    } catch let error as TodoError {
      let status = Visit.status(of: error)
      // The page keeps the line, for which a list that is gone has no page.
      guard !visit.isScript, status.code >= 500 else {
        return visit.refuse(error, back: form["back"])
      }
      attempt.error = visit.message(for: error)
      return try visit.list(at: address, attempt: attempt, status: status)
    } catch let error as PromptError {
      attempt.error = error.text(in: text.language)
    } catch {
      attempt.error = visit.message(for: error)
    }
    if visit.isScript {
      var values = ["error": attempt.error ?? ""]
      if let name = attempt.newGroup {
        values.merge(["newGroup": name, "makeGroup": text.makeGroup]) { $1 }
      }
      return visit.json(values, .unprocessableContent)
    }
    return try visit.list(at: address, attempt: attempt, status: .unprocessableContent)
  }

  /// Does what a form asks for.
  func act(_ visit: Visit) async throws -> Response {
    let form = try await visit.form()
    guard let action = FormAction(form) else {
      return visit.refuse(visit.text.noSuchAction, .badRequest, back: form["back"])
    }
    do {
      return try await perform(action, form, visit)
    } catch let error as ValidationIssue {
      return visit.refuse(error, back: form["back"])
    } catch let error as TodoError {
      return visit.refuse(error, back: form["back"])
    }
  }

  private func perform(
    _ action: FormAction, _ form: FormFields, _ visit: Visit
  ) async throws -> Response {
    switch action {
    case .perform(let action, let said):
      return visit.succeed(form, said, try await site.perform(action))
    case .intent(let intent, let row, let said):
      return try await send(intent, on: row, said, form, visit)
    case .addList(let name):
      let stored = try await home { try $0.add(name) }
      return visit.succeed(form, .added, stored.result, named: stored.name)
    case .renameList(let id, let was, let name):
      return try await rename(id, from: was, to: name, form, visit)
    case .moveList(let id, let position):
      return visit.succeed(form, .moved, try await home { try $0.move(id, to: position) })
    case .askToDeleteGroup(let id):
      let question = try await home { try $0.askToDelete(id) }
      let name = question.titles.joined().shown
      return ask(
        visit.text.askToDeleteGroup(name, count: question.items.count), question, form, visit)
    case .askToDeleteAll(let list):
      let ids = try site.repository.items(in: list, .all).map(\.id)
      let question = try site.deletions.request(items: ids)
      return ask(
        visit.text.askToDeleteAll(ids.count), question, form, visit, typing: "\(ids.count)")
    case .confirm(let token):
      // Whatever the form says: the deletion of many items is confirmed by their number.
      if let question = site.deletions.question(token), question.group == nil,
        question.items.count > 1 || form["typed"] != nil
      {
        let count = "\(question.items.count)"
        guard form["typed"]?.trimmingCharacters(in: .whitespaces) == count else {
          return askAgain(count, token, form, visit)
        }
      }
      let result: CommandResult = try await site.deletions.confirm(token)
      // The page of a group that is gone is no place to return to.
      if !result.groups.isEmpty {
        let undo = result.step.map { "&undo=\($0)" } ?? ""
        return visit.go(to: "/lists/all?said=deleted" + undo)
      }
      return visit.succeed(form, .deleted, result)
    case .cancel(let token):
      site.deletions.cancel(token)
      return Response(status: .noContent)
    }
  }

  private func rename(
    _ id: UUID, from was: String?, to name: String, _ form: FormFields, _ visit: Visit
  ) async throws -> Response {
    do {
      let stored = try await home { try $0.rename(id, from: was, to: name) }
      return visit.succeed(form, .changed, stored.result, named: stored.name)
    } catch TodoError.changedSince {
      guard let now = try site.repository.group(id)?.name else { throw TodoError.groupNotFound(id) }
      return conflict(now: now, wanted: name, form, visit)
    }
  }

  /// Says what a text is now that was to be changed.
  private func conflict(
    now: String, wanted: String, _ form: FormFields, _ visit: Visit
  ) -> Response {
    let why = visit.text.conflict(now: now.shown, wanted: wanted)
    if visit.isScript { return visit.json(["error": why, "now": now.shown], .conflict) }
    return visit.refuse(why, .conflict, back: form["back"])
  }

  /// Handles what the user does to a row of the open list.
  private func send(
    _ intent: ListIntent, on row: ShownRow, _ said: FormAction.Said?, _ form: FormFields,
    _ visit: Visit
  ) async throws -> Response {
    do {
      let state = try await site.write { [site] in try RowScreen(site: site).send(intent, on: row) }
      if let said { return visit.succeed(form, said, state.result) }
      guard let question = state.question else { throw TodoError.notFound(row.id) }
      let titles = question.titles.joined(separator: ", ").shown
      return ask(visit.text.askToDelete(titles), question, form, visit)
    } catch TodoError.changedSince where row.title != nil {
      guard let now = try site.repository.item(row.id)?.title else {
        throw TodoError.notFound(row.id)
      }
      return conflict(now: now, wanted: form["text"] ?? "", form, visit)
    }
  }

  /// Uses the screens of all lists.
  private func home<Value: Sendable>(
    _ body: @escaping @Sendable (HomeScreen) throws -> Value
  ) async throws -> Value {
    try await site.write { [site] in try body(HomeScreen(site)) }
  }

  private func ask(
    _ text: String, _ question: PendingDeletion, _ form: FormFields, _ visit: Visit,
    typing count: String? = nil
  ) -> Response {
    var values = Self.question(text, question.token, form, visit)
    if let count { values.merge(Self.typing(count, visit.text)) { $1 } }
    return visit.ask(visit.page("question", values))
  }

  /// Asks once more, because another number was typed than that of the items.
  private func askAgain(
    _ count: String, _ token: UUID, _ form: FormFields, _ visit: Visit
  ) -> Response {
    var values = Self.question(
      visit.text.askToDeleteAll(Int(count) ?? 0), token, form, visit)
    values.merge(Self.typing(count, visit.text)) { $1 }
    values["error"] = visit.text.typeCount(Int(count) ?? 0)
    return visit.ask(visit.page("question", values), .unprocessableContent)
  }

  private static func question(
    _ text: String, _ token: UUID, _ form: FormFields, _ visit: Visit
  ) -> [String: Any] {
    [
      "pageTitle": text, "question": text, "token": token.uuidString,
      "back": Visit.back(form["back"]), "delete": visit.text.delete, "cancel": visit.text.cancel,
    ]
  }

  private static func typing(_ count: String, _ text: PageText) -> [String: Any] {
    ["count": count, "typeLabel": text.typeCount(Int(count) ?? 0)]
  }

  /// Sets how pages look in this browser.
  func setLook(_ visit: Visit) async throws -> Response {
    let form = try await visit.form()
    var response = Response.redirect(to: Visit.back(form["back"]))
    for cookie in PageSettings.cookies(for: form) {
      response.headers.append(HTTPField(name: .setCookie, value: cookie))
    }
    return response
  }
}
