import Foundation
import Hummingbird
import NIOCore
import Presentation
import Reactive
import TodoKit
import TodoPrompt
import TodoScreens

/// What the server answers to each request.
///
/// Reads are pages and their events. Writes are forms: each does one thing, through the view models
/// and rules that the prompt uses, and is answered with a redirect to where it came from, or with a
/// page that says what is wrong. A script of the page gets the same as one line of JSON.
struct PageHandlers: Sendable {
  let repository: any TodoRepository
  let settings: TodoSettings
  let renderer: PageRenderer
  private let deletions: PendingDeletions
  private let pages: LivePages

  init(repository: any TodoRepository, settings: TodoSettings, renderer: PageRenderer) {
    (self.repository, self.settings, self.renderer) = (repository, settings, renderer)
    deletions = PendingDeletions(repository: repository)
    pages = LivePages { address in
      LivePage(
        states: Self.states(of: address, in: repository),
        render: { shown, last in
          renderer.parts(
            of: shown, at: address, today: settings.today, time: settings.time,
            in: PageText(language: settings.language), reusing: last)
        },
        message: { error in
          MessageCatalog.todo(in: settings.language).message(
            for: error as? TodoError ?? .storage(error))
        })
    }
  }

  /// What a page shows, now and after each commit that changed it.
  private static func states(
    of address: ListAddress, in repository: any TodoRepository
  ) -> Observable<ShownPage> {
    Observable<ShownPage>.combineLatest(
      repository.observe(address.request), repository.observeGroups(),
      repository.observeTally(of: .all), repository.observeTally(of: .important),
      repository.observeTally(of: .ungrouped)
    ) { page, groups, all, important, ungrouped in
      ShownPage(page: page, groups: groups, all: all, important: important, ungrouped: ungrouped)
    }
  }

  private var text: PageText { PageText(language: settings.language) }

  func addRoutes(to router: Hummingbird.Router<TodoContext>) {
    router.get("/") { _, _ in Response.redirect(to: "/lists/all", type: .normal) }
    router.get("/lists/:list") { request, context in try await page(request, context) }
    router.get("/lists/:list/events") { request, context in try events(request, context) }
    router.post("/lists/:list/items") { request, context in try await add(request, context) }
    router.post("/actions") { request, context in try await act(request, context) }
    let assets: [(String, [UInt8], String)] = [
      ("page.css", PackageResources.page_css, "text/css"),
      ("page.js", PackageResources.page_js, "text/javascript"),
      ("live.js", PackageResources.live_js, "text/javascript"),
      ("icon.svg", PackageResources.icon_svg, "image/svg+xml"),
    ]
    for (name, bytes, type) in assets {
      router.get("/assets/\(name)") { _, _ in Response.asset(bytes, type: type) }
    }
  }
}

// Reading.
extension PageHandlers {
  private func address(_ request: Request, _ context: TodoContext) -> ListAddress? {
    let query = request.uri.queryParameters
    return ListAddress(
      name: context.parameters.get("list") ?? "", sort: query["sort"].map(String.init),
      first: query["from"].map(String.init))
  }

  private func page(_ request: Request, _ context: TodoContext) async throws -> Response {
    guard let address = address(request, context) else {
      return message(text.noSuchList, .notFound)
    }
    let said = request.uri.queryParameters["said"].map(String.init)
      .flatMap(FormAction.Said.init(rawValue:)).map(text.said)
    return try await page(at: address, said: said)
  }

  private func page(
    at address: ListAddress, attempt: PageRenderer.Attempt = .init(), said: String? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    do {
      let parts = parts(of: try shown(address), at: address)
      guard parts.exists else { return message(text.noSuchList, .notFound) }
      return .page(
        renderer.page(parts, at: address, attempt: attempt, said: said, in: text), status: status)
    } catch let error as TodoError {
      return failure(error, back: "/lists/all")
    }
  }

  private func shown(_ address: ListAddress) throws -> ShownPage {
    try ShownPage(
      page: repository.page(address.request), groups: repository.groups(),
      all: repository.tally(of: .all), important: repository.tally(of: .important),
      ungrouped: repository.tally(of: .ungrouped))
  }

  private func parts(of shown: ShownPage, at address: ListAddress) -> RenderedPage {
    renderer.parts(
      of: shown, at: address, today: settings.today, time: settings.time, in: text)
  }

  private func events(_ request: Request, _ context: TodoContext) throws -> Response {
    guard let address = address(request, context) else {
      return message(text.noSuchList, .notFound)
    }
    let version =
      request.headers[named: "Last-Event-ID"]
      ?? request.uri.queryParameters["version"].map(String.init)
    let stream = PageStream(pages: pages, address: address, version: version)
    return stream.response(to: request, in: context)
  }
}

// Writing.
extension PageHandlers {
  private func form(_ request: Request, _ context: TodoContext) async throws -> FormFields {
    let body = try await request.body.collect(upTo: context.maxUploadSize)
    return FormFields(body: String(buffer: body))
  }

  /// Adds an item that a line describes, through the view model of the prompt's `add`.
  private func add(_ request: Request, _ context: TodoContext) async throws -> Response {
    guard let address = address(request, context) else {
      return message(text.noSuchList, .notFound)
    }
    let form = try await form(request, context)
    let line = form["line"] ?? ""
    var attempt = PageRenderer.Attempt(line: line)
    do {
      let typed = try TypedTask(
        line: line, in: address.list.groupID, of: repository, settings: settings)
      if let name = typed.newGroup, form["makeGroup"] != name {
        attempt.newGroup = name
        attempt.error = text.noSuchGroup(name)
      } else {
        try await repository.perform(validating: .addTask(typed.draft, inNewGroup: typed.newGroup))
        return succeed(request, form, .added)
      }
    } catch let error as ValidationIssue {
      attempt.error = MessageCatalog.todo(in: text.language).message(for: error)
    } catch let error as PromptError {
      attempt.error = error.text(in: text.language)
    } catch let error as TodoError {
      return failure(error, back: back(form))
    }
    if isScript(request) {
      return json(
        ["error": attempt.error ?? "", "newGroup": attempt.newGroup ?? ""], .unprocessableContent)
    }
    return try await page(at: address, attempt: attempt, status: .unprocessableContent)
  }

  /// Does what a form asks for.
  private func act(_ request: Request, _ context: TodoContext) async throws -> Response {
    let form = try await form(request, context)
    guard let action = FormAction(form) else { return message(text.noSuchAction, .badRequest) }
    do {
      switch action {
      case .perform(let action, let said):
        try await repository.perform(validating: action)
        return succeed(request, form, said)
      case .retitle(let id, let title, let was):
        guard let item = try repository.item(id) else { throw TodoError.notFound(id) }
        if item.title != was {
          return refuse(request, form, text.conflict(now: item.title, wanted: title), .conflict)
        }
        try await repository.perform(validating: .retitle(id, to: title, ifStill: item))
        return succeed(request, form, .changed)
      case .askToDelete(let ids):
        let question = try deletions.request(items: ids)
        return ask(text.askToDelete(question.titles.joined(separator: ", ")), question, form)
      case .askToDeleteGroup(let id):
        let question = try deletions.request(group: id)
        return ask(
          text.askToDeleteGroup(question.titles.joined(), count: question.items.count), question,
          form)
      case .confirm(let token):
        let result = try await deletions.confirm(token)
        // The page of a group that is gone is no place to return to.
        if !result.groups.isEmpty { return Response.redirect(to: "/lists/all?said=deleted") }
        return succeed(request, form, .deleted)
      }
    } catch let error as ValidationIssue {
      let isReserved = error.code == .reservedName
      return refuse(
        request, form, MessageCatalog.todo(in: text.language).message(for: error),
        isReserved ? .conflict : .unprocessableContent)
    } catch let error as TodoError {
      if isScript(request) {
        return json(
          ["error": MessageCatalog.todo(in: text.language).message(for: error)],
          Self.status(of: error))
      }
      return failure(error, back: back(form))
    }
  }

  private func ask(_ question: String, _ asked: PendingDeletion, _ form: FormFields) -> Response {
    .page(renderer.question(question, token: asked.token, back: back(form), in: text))
  }

  private func succeed(
    _ request: Request, _ form: FormFields, _ said: FormAction.Said
  ) -> Response {
    if isScript(request) { return json(["said": text.said(said)], .ok) }
    let back = back(form)
    return .redirect(to: back + (back.contains("?") ? "&" : "?") + "said=\(said.rawValue)")
  }

  private func refuse(
    _ request: Request, _ form: FormFields, _ why: String, _ status: HTTPResponse.Status
  ) -> Response {
    if isScript(request) { return json(["error": why], status) }
    return message(why, status, back: back(form))
  }

  private func failure(_ error: TodoError, back: String) -> Response {
    message(
      MessageCatalog.todo(in: text.language).message(for: error), Self.status(of: error), back: back
    )
  }

  private func message(
    _ why: String, _ status: HTTPResponse.Status, back: String = "/lists/all"
  ) -> Response {
    .page(renderer.message(why, back: back, in: text), status: status)
  }

  /// Where a form came from: a path of this server, whatever the form says.
  private func back(_ form: FormFields) -> String {
    guard let back = form["back"], back.hasPrefix("/lists/"),
      back.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return "/lists/all" }
    return back
  }

  private func isScript(_ request: Request) -> Bool {
    request.headers[named: "Accept"] == "application/json"
  }

  private func json(_ values: [String: String], _ status: HTTPResponse.Status) -> Response {
    // A dictionary of texts can be encoded, whatever it holds.
    let bytes = (try? JSONEncoder().encode(values)) ?? Data("{}".utf8)
    return Response(
      status: status, headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  private static func status(of error: TodoError) -> HTTPResponse.Status {
    switch error {
    case .notFound, .groupNotFound: .notFound
    case .folder, .storage: .internalServerError
    default: .conflict
    }
  }
}
