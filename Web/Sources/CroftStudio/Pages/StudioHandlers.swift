import Croft
import Foundation
import Hummingbird
import PageServer

/// The routes of the studio, and its answers.
struct StudioHandlers: Sendable {
  let store: ShownStore
  /// What pages ask.
  let queries: QueryQueue
  /// What takes as long as its reader does.
  let exports: QueryQueue
  /// Checks of the whole store, one at a time.
  let checks: QueryQueue
  let signal: CommitSignal
  let templates: StudioTemplates
  /// The commits of the studio; nil where it only reads.
  let edits: EditLog?

  /// A page that does not exist.
  struct Missing: Error {
    let what: String
  }

  /// A page that says why there is no other one.
  struct Refusal: Error {
    let response: Response
  }

  func addRoutes(to router: Router<ConnectionContext>) {
    func answer(
      _ path: RouterPath,
      _ handler:
        @escaping @Sendable (Request, ConnectionContext, inout ReadTransaction) throws -> Response
    ) {
      router.get(path) { [self] request, context in
        await self.answer(context, limit: queries.limit) { try handler(request, context, &$0) }
      }
    }
    answer("/") { _, _, tx in try models(in: &tx) }
    answer("/models/:model") { try grid($0, $1, in: &$2) }
    answer("/models/:model/objects/:key") { try object($0, $1, in: &$2) }
    answer("/models/:model/objects/:key/values/:property") { try bytes($1, in: &$2) }
    addEditRoutes(to: router)
    router.get("/assets/studio.css") { _, _ in
      Response.asset(PackageResources.studio_css, type: "text/css")
    }
    router.get("/assets/studio.js") { _, _ in
      Response.asset(PackageResources.studio_js, type: "text/javascript")
    }
    addViews(to: router)
  }

  /// Answers a request in a read transaction, on a thread of the queries; what prevents it is told on a page.
  func answer(
    _ context: ConnectionContext, limit: Duration,
    _ handler: @escaping @Sendable (inout ReadTransaction) throws -> Response
  ) async -> Response {
    let found = await result {
      try await queries.run(for: context.channel, limit: limit) { _ in
        try store.read(handler)
      }
    }
    switch found {
    case .success(let response): return response
    case .failure(let refusal): return refusal.response
    }
  }

  /// What work gives, or the page that says what prevents it.
  func result<Value>(_ work: () async throws -> Value) async -> Result<Value, Refusal> {
    func refused(_ text: String, _ status: HTTPResponse.Status) -> Result<Value, Refusal> {
      .failure(Refusal(response: message(text, status)))
    }
    do {
      return .success(try await work())
    } catch let missing as Missing {
      return refused(missing.what, .notFound)
    } catch let problem as FilterProblem {
      return refused(problem.reason, .unprocessableContent)
    } catch let stop as QueryProgress.Stop {
      return refused(Self.text(of: stop), .serviceUnavailable)
    } catch let error as StoreError {
      return refused(error.pageText, Self.status(of: error))
    } catch {
      return refused("\(error)", .internalServerError)
    }
  }

  static func text(of stop: QueryProgress.Stop) -> String {
    switch stop {
    case .tooSlow(let limit):
      "The query took longer than \(limit.components.seconds) s and was ended. Filter by an indexed "
        + "property, add an index for what is filtered, or start the studio with a larger --query-limit."
    case .left:
      "The query was ended, because the file was replaced or the studio ends. Load this page again."
    case .busy: "Others take all places for this work. Try it again when one of them is done."
    }
  }

  private static func status(of error: StoreError) -> HTTPResponse.Status {
    switch error {
    case .fileReplaced, .cannotOpen, .notACroftFile: .serviceUnavailable
    default: error.isRetryable ? .serviceUnavailable : .internalServerError
    }
  }

  /// Answers a request on a thread of the queries, with reads and writes of the handler's own.
  func answer(
    _ context: ConnectionContext, _ handler: @escaping @Sendable () throws -> Response
  ) async -> Response {
    let found = await result {
      try await queries.run(for: context.channel, limit: queries.limit) { _ in try handler() }
    }
    switch found {
    case .success(let response): return response
    case .failure(let refusal): return refusal.response
    }
  }

  /// The answer to a request that no handler answers.
  @Sendable func refusal(
    _ request: Request, _ context: ConnectionContext, _ status: HTTPResponse.Status
  ) -> Response {
    message(
      status == .contentTooLarge ? "The request is too large." : "There is no such page.", status)
  }

  private func models(in tx: inout ReadTransaction) throws -> Response {
    var values = try modelsValues(in: &tx)
    values["version"] = GridEvents.Rows(render(.models, values)).version
    values["eventsPath"] = "/events"
    return .page(render(.models, values))
  }

  /// What the page of the models shows, for the template.
  func modelsValues(in tx: inout ReadTransaction) throws -> [String: Any] {
    let models = try tx.models().map { model in
      [
        "name": model.name, "path": StudioPath.model(model.name), "objects": model.objectCount,
        "bytes": HealthReport.size(model.bytes), "properties": model.properties.count,
        "key": model.primaryKey.joined(separator: ", "),
      ] as [String: Any]
    }
    var values: [String: Any] = ["title": fileName, "models": models]
    values["notice"] = try store.notice
    // The page on which a commit can be undone for as long as it can be.
    if let last = edits?.last, last.step != nil {
      values.merge(Self.values(of: last)) { $1 }
    }
    return values
  }

  private func grid(
    _ request: Request, _ context: ConnectionContext, in tx: inout ReadTransaction
  ) throws -> Response {
    let model = try self.model(context, in: &tx)
    var values: [String: Any] = [
      "title": model.name, "name": model.name, "path": StudioPath.model(model.name),
    ]
    var status = HTTPResponse.Status.unprocessableContent
    var isSorted = false
    do {
      values.merge(try said(on: request)) { $1 }
      let shown = try Self.gridRequest(request)
      values["query"] = shown.filter.shown
      if !shown.sort.isEmpty { values["sort"] = shown.sort.shown }
      values["editPath"] = StudioPath.edit(model.name, shown)
      if !Facets.properties(of: model).isEmpty {
        values["facetsPath"] = StudioPath.view("facets", of: model.name, shown)
      }
      isSorted =
        try GridOrder(shown.sort, of: model).property != nil && model.primaryKey.count == 1
      if shown.before != nil {
        let previous = try ObjectGrid.previous(of: model, shown, in: &tx)
        return .redirect(to: StudioPath.grid(model.name, previous))
      }
      let grid = try ObjectGrid(
        of: model, shown, upTo: shown.waits ? nil : ObjectGrid.firstLimit, in: &tx)
      if grid.objects.count > Self.editedRowCount { values["firstCount"] = Self.editedRowCount }
      let rows = try self.rows(of: model, shown, grid, in: &tx)
      (values["shown"], values["version"]) = (rows.html, rows.version)
      values["eventsPath"] = StudioPath.events(
        model.name, request.uri.query, found: grid.isSearching ? grid.objects.count : nil)
      return .page(render(.grid, values))
    } catch let problem as FilterProblem {
      values["error"] = problem.values
    } catch let error as StoreError where error.isOfQuery {
      values["error"] = FilterProblem(error.pageText).values
    } catch let stop as QueryProgress.Stop {
      let hint =
        isSorted ? " In the order of the primary key objects are shown as they are found." : ""
      values["error"] = FilterProblem(Self.text(of: stop) + hint).values
      status = .serviceUnavailable
    }
    return .page(render(.grid, values), status: status)
  }

  /// What the address of a grid asks for.
  ///
  /// - Throws: ``FilterProblem`` for a field that is not text in UTF-8.
  static func gridRequest(_ request: Request) throws(FilterProblem) -> ObjectGrid.Request {
    ObjectGrid.Request(
      filter: try field("query", of: request) ?? "", sort: try field("sort", of: request) ?? "",
      after: try field("after", of: request), from: try field("from", of: request),
      before: try field("before", of: request), waits: try field("wait", of: request) != nil)
  }

  /// The rows of a grid, which the events of its page send again.
  ///
  /// - Throws: An error of the store.
  func rows(
    of model: StoredModel, _ shown: ObjectGrid.Request, _ grid: ObjectGrid,
    in tx: inout ReadTransaction
  ) throws -> GridEvents.Rows {
    if grid.isSearching { return rows(of: model, shown, searching: grid) }
    return rows(of: model, shown, grid, try Self.counts(of: model, shown, grid, in: &tx))
  }

  /// The rows of a grid whose search is not done.
  func rows(
    of model: StoredModel, _ shown: ObjectGrid.Request, searching grid: ObjectGrid
  ) -> GridEvents.Rows {
    var values = Self.exports(of: model, shown)
    values["until"] = grid.objects.count == 1 ? "1 object" : "\(grid.objects.count) objects"
    return rows(of: model, shown, grid, values)
  }

  private func rows(
    of model: StoredModel, _ shown: ObjectGrid.Request, _ grid: ObjectGrid,
    _ counts: [String: Any]
  ) -> GridEvents.Rows {
    var values: [String: Any] = [
      "objects": model.objectCount, "rows": grid.rows,
      "columns": model.properties.map { Self.column($0, of: model, shown) },
      "notes": grid.notes.map { ["note": $0.shown] },
    ]
    values.merge(counts) { $1 }
    let isPart = grid.isStopped || grid.isSearching
    if grid.rows.isEmpty, !isPart { values["hasNoRows"] = true }
    if isPart { values["isStopped"] = true }
    if shown.after != nil {
      values["firstPath"] = StudioPath.grid(
        model.name, ObjectGrid.Request(filter: shown.filter, sort: shown.sort))
    }
    values["nextPath"] = grid.next.map { StudioPath.grid(model.name, $0) }
    values["previousPath"] = grid.previous.map { StudioPath.grid(model.name, $0) }
    return GridEvents.Rows(render(.rows, values))
  }

  private func object(
    _ request: Request, _ context: ConnectionContext, in tx: inout ReadTransaction
  ) throws -> Response {
    var values = try objectValues(context, counting: ObjectDetails.countLimit, in: &tx)
    // A count may end with its time, so that the page would seem to have changed.
    let others = values.merging(["hasLinks": false, "links": [[String: Any]]()]) { $1 }
    values["version"] = GridEvents.Rows(render(.object, others)).version
    values["eventsPath"] = request.uri.path + "/events"
    return .page(render(.object, values.merging(try said(on: request)) { $1 }))
  }

  /// What the page of an object shows, for the template.
  func objectValues(
    _ context: ConnectionContext, counting limit: Duration?, in tx: inout ReadTransaction
  ) throws -> [String: Any] {
    let model = try self.model(context, in: &tx)
    guard let key = context.parameters.get("key").flatMap(ObjectKey.init(path:)),
      let details = try ObjectDetails(of: model, key, countLimit: limit, in: &tx)
    else { throw Missing(what: "There is no such object of \(model.name).") }
    return [
      "title": "\(model.name) \(key.title)", "name": model.name, "key": key.title,
      "path": StudioPath.model(model.name), "values": details.values,
      "objectPath": StudioPath.object(key, of: model.name),
      "hasLinks": !details.links.isEmpty, "links": details.links,
    ]
  }

  private func bytes(
    _ context: ConnectionContext, in tx: inout ReadTransaction
  ) throws -> Response {
    let model = try self.model(context, in: &tx)
    let property = context.parameters.get("property")?.removingPercentEncoding
    guard let key = context.parameters.get("key").flatMap(ObjectKey.init(path:)),
      let object = try key.object(of: model, in: &tx), let property,
      let place = object.names.firstIndex(of: property),
      let (bytes, ending) = Self.file(object.values[place])
    else { throw Missing(what: "There are no such bytes of \(model.name).") }
    var response = Response.asset(bytes, type: "application/octet-stream")
    // Never shown as a page of this server, whatever the bytes are.
    response.headers[named: "Content-Disposition"] =
      Self.attachment("\(model.name).\(property).\(ending)")
    return response
  }

  /// The bytes of a value, and the ending of a file that has them; nil for one without bytes.
  private static func file(_ value: StoredValue) -> (bytes: [UInt8], ending: String)? {
    guard ValueCell.hasBytes(value) else { return nil }
    switch value {
    case .data(let bytes): return (bytes, "bin")
    case .string(let text): return (Array(text.utf8), "txt")
    default: return nil
    }
  }

  /// The header for a file with a name, which RFC 6266 lets have letters beyond ASCII in its second form.
  private static func attachment(_ name: String) -> String {
    let plain = name.unicodeScalars.map { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains(scalar))
        ? String(scalar) : "_"
    }
    return "attachment; filename=\"\(plain.joined())\"; filename*=UTF-8''\(name.percentEncoded)"
  }

  func model(
    _ context: ConnectionContext, in tx: inout ReadTransaction
  ) throws -> StoredModel {
    let name = context.parameters.get("model")?.removingPercentEncoding ?? ""
    guard let model = try tx.models().first(where: { $0.name == name }) else {
      throw Missing(what: "There is no model \"\(name.shown)\" in this file.")
    }
    return model
  }

  func message(_ text: String, _ status: HTTPResponse.Status) -> Response {
    .page(render(.message, ["title": fileName, "message": text.shown]), status: status)
  }

  func render(_ page: StudioTemplates.Page, _ values: [String: Any]) -> String {
    var values = values
    if let title = values["title"] as? String { values["title"] = title.shown }
    values["file"] = fileName.shown
    values["fullPath"] = store.path.shown
    if edits != nil { values["isWritable"] = true }
    return templates.render(page, values)
  }

  private var fileName: String { URL(filePath: store.path).lastPathComponent }

  /// What the page after a commit says of it, for the template; nothing on other pages.
  private func said(on request: Request) throws(FilterProblem) -> [String: Any] {
    guard let last = edits?.last, try Self.field(StudioPath.done, of: request) == last.mark else {
      return [:]
    }
    return Self.values(of: last)
  }

  private static func values(of last: EditLog.Entry) -> [String: Any] {
    ["said": last.said.shown, "hasUndo": last.step != nil, "mark": last.mark]
  }

  /// Leads to the page after a commit.
  func redirect(to path: String, after mark: String?) -> Response {
    .redirect(to: mark.map { "\(path)?\(StudioPath.done)=\($0)" } ?? path)
  }

  /// How many objects the filter finds, or where they are counted, and their exports.
  private static func counts(
    of model: StoredModel, _ shown: ObjectGrid.Request, _ grid: ObjectGrid,
    in tx: inout ReadTransaction
  ) throws -> [String: Any] {
    let filter = String(shown.filter.trimmed)
    var values = exports(of: model, shown)
    let isOnlyPage = shown.after == nil && grid.next == nil && grid.notes.isEmpty
    // Objects that are damaged have rows, and no export has them.
    let count =
      isOnlyPage
      ? grid.objects.count
      : try FilteredCount(of: model, filter: filter, in: &tx).known(in: &tx)
    if let count { values["exported"] = count == 1 ? "1 object" : "\(count) objects" }
    if filter.isEmpty { return values }
    if let count { values["found"] = "\(count)" }
    if count == nil { values["countPath"] = StudioPath.view("count", of: model.name, shown) }
    return values
  }

  private static func exports(
    of model: StoredModel, _ shown: ObjectGrid.Request
  ) -> [String: Any] {
    [
      "csvPath": StudioPath.view("export/csv", of: model.name, shown),
      "ndjsonPath": StudioPath.view("export/ndjson", of: model.name, shown),
      "jsonPath": StudioPath.view("export/json", of: model.name, shown),
    ]
  }

  /// The filter and the order in an address; empty without them.
  ///
  /// - Throws: As ``field(_:of:)``.
  static func viewRequest(_ request: Request) throws(FilterProblem) -> ObjectGrid.Request {
    ObjectGrid.Request(
      filter: String((try field("query", of: request) ?? "").trimmed),
      sort: try field("sort", of: request) ?? "")
  }

  /// A field of the form in the address; nil without one.
  ///
  /// Forms write a space as `+`, which elsewhere in an address is itself.
  ///
  /// - Throws: ``FilterProblem`` for a field that is not text in UTF-8.
  static func field(
    _ name: String, of request: Request
  ) throws(FilterProblem) -> String? {
    for part in (request.uri.query ?? "").split(separator: "&") {
      let texts = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        String($0).replacing("+", with: " ").removingPercentEncoding
      }
      guard texts.first == name, texts.count == 2 else { continue }
      guard let text = texts[1] else {
        throw FilterProblem("The address has a \(name) that is not text in UTF-8. Type it again.")
      }
      return text
    }
    return nil
  }

  private static func column(
    _ property: StoredModel.Property, of model: StoredModel, _ shown: ObjectGrid.Request
  ) -> [String: Any] {
    var column: [String: Any] = [
      "name": property.name, "type": property.typeName,
      "target": property.reference.map { "→ \($0.model)" } ?? "",
      "isKey": property.isPrimaryKey,
    ]
    guard property.isSortable else { return column }
    let descending = "\(property.name) \(GridOrder.descending)"
    let isByKey = shown.sort.isEmpty && [property.name] == model.primaryKey
    let isAscending = shown.sort == property.name || isByKey
    column["sortPath"] = StudioPath.grid(
      model.name,
      ObjectGrid.Request(
        filter: shown.filter, sort: isAscending ? descending : property.name))
    if isAscending || shown.sort == descending {
      column["direction"] = isAscending ? "ascending" : "descending"
      column["arrow"] = isAscending ? "↑" : "↓"
    }
    return column
  }
}
