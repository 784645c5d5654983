import Croft
import Hummingbird
import PageServer

/// The pages beside those of models and objects: values to filter by, exports, the schema and the health.
extension StudioHandlers {
  private static let formBytesOfCheck = 1 << 10

  func addViews(to router: Router<ConnectionContext>) {
    router.get("/models/:model/facets") { request, context in
      await answer(context, limit: min(Facets.limit, queries.limit)) {
        try facets(request, context, in: &$0)
      }
    }
    router.get("/models/:model/count") { request, context in
      await answer(context, limit: queries.limit) { try count(request, context, in: &$0) }
    }
    router.get("/models/:model/export/:format") { request, context in
      await export(request, context)
    }
    addEvents(to: router)
    router.get("/schema") { _, context in
      await answer(context, limit: queries.limit) { tx in
        var values = SchemaPicture(try tx.models()).values
        values["title"] = "Schema"
        return .page(render(.schema, values))
      }
    }
    router.get("/health") { _, context in await health(context, verifies: false) }
    router.post("/health") { request, context in
      // The form has no fields.
      _ = try await context.withTimeout {
        try await request.body.collect(upTo: Self.formBytesOfCheck)
      }
      return await health(context, verifies: true)
    }
  }

  /// Adds the events of pages that are open: rows of a grid, and that another page would look different now.
  private func addEvents(to router: Router<ConnectionContext>) {
    router.get("/models/:model/events") { request, context in
      events(request, context, "rows") { tx, tell in
        let model = try self.model(context, in: &tx)
        let shown = try Self.gridRequest(request)
        let tellRows = tell.map { tell in
          { (part: ObjectGrid) in tell(rows(of: model, shown, searching: part)) }
        }
        let grid = try ObjectGrid(
          of: model, shown, shown: Self.found(request) ?? 0, tell: tellRows, in: &tx)
        return try rows(of: model, shown, grid, in: &tx)
      }
    }
    router.get("/events") { request, context in
      events(request, context, Self.changed) { tx, _ in
        GridEvents.Rows(render(.models, try modelsValues(in: &tx)))
      }
    }
    router.get("/models/:model/objects/:key/events") { request, context in
      events(request, context, Self.changed) { tx, _ in
        let values = try objectValues(context, counting: nil, in: &tx)
        return GridEvents.Rows(render(.object, values))
      }
    }
    router.get("/health/events") { request, context in
      events(request, context, Self.changed) { _, _ in
        try HealthReport(of: store, verifies: false).rows
      }
    }
  }

  private static let changed = "changed"

  /// How many objects a page has of a search that is not done; nil for another page.
  private static func found(_ request: Request) -> Int? {
    request.uri.queryParameters[StudioPath.search[...]].flatMap { Int($0) }
  }

  /// The events of an open page.
  ///
  /// - Parameter read: Reads what the page shows, and tells parts of it where it is given how.
  private func events(
    _ request: Request, _ context: ConnectionContext, _ name: String,
    _ read:
      @escaping @Sendable (inout ReadTransaction, GridEvents.Tell?) throws -> GridEvents.Rows
  ) -> Response {
    // A browser that is told so does not come back.
    guard signal.hasRoom else { return Response(status: .noContent) }
    // A browser that comes back names the last event that it has.
    let lastEvent = request.headers[named: "Last-Event-ID"]
    let version = lastEvent ?? request.uri.queryParameters["version"].map(String.init)
    let searches = lastEvent == nil && Self.found(request) != nil
    let events = GridEvents(signal: signal, version: version, name: name, searches: searches) {
      tell in
      await result {
        // The connection is noticed by the events, which have one registration with it and not one for each reading.
        try await queries.run(for: nil, limit: queries.limit) { _ in
          try store.read { try read(&$0, tell) }
        }
      }
    } look: {
      // A file that was replaced is found when it is read.
      _ = await result {
        try await queries.run(for: nil, limit: queries.limit) { _ in try store.read { _ in } }
      }
    }
    return events.response(in: context)
  }

  private func facets(
    _ request: Request, _ context: ConnectionContext, in tx: inout ReadTransaction
  ) throws -> Response {
    let model = try self.model(context, in: &tx)
    var values: [String: Any] = ["title": model.name, "name": model.name]
    values["path"] = StudioPath.model(model.name)
    do {
      let shown = try Self.viewRequest(request)
      values["query"] = shown.filter.isEmpty ? nil : shown.filter.shown
      values["path"] = StudioPath.grid(model.name, shown)
      let facets = try Facets(of: model, shown, in: &tx)
      values["facets"] = facets.facets
      values["countOfPart"] = facets.countOfPart
      if !facets.leftOut.isEmpty {
        values["leftOut"] = facets.leftOut.joined(separator: "; ").shown
      }
      return .page(render(.facets, values))
    } catch let problem as FilterProblem {
      values["error"] = problem.values
      return .page(render(.facets, values), status: .unprocessableContent)
    }
  }

  private func count(
    _ request: Request, _ context: ConnectionContext, in tx: inout ReadTransaction
  ) throws -> Response {
    let model = try self.model(context, in: &tx)
    let shown = try Self.viewRequest(request)
    let count = try FilteredCount(of: model, filter: shown.filter, in: &tx).counted(in: &tx)
    var values: [String: Any] = [
      "title": model.name, "name": model.name,
      "path": StudioPath.grid(model.name, shown),
      "found": count.map { "\($0)" }
        ?? "not counted, because it takes longer than \(queries.limit.components.seconds) s",
    ]
    if !shown.filter.isEmpty { values["query"] = shown.filter.shown }
    return .page(render(.count, values))
  }

  private func export(_ request: Request, _ context: ConnectionContext) async -> Response {
    // Once the head is sent, nothing else could be answered.
    guard exports.hasRoom else {
      return message(Self.text(of: .busy), .serviceUnavailable)
    }
    let found = await result { () throws -> Export in
      try await queries.run(for: context.channel, limit: queries.limit) { _ in
        try store.read { tx in
          let model = try self.model(context, in: &tx)
          guard let format = context.parameters.get("format").flatMap({ Export.formats[$0] })
          else { throw Missing(what: "There is no such format: take csv, json or ndjson.") }
          return try Export(of: model, try Self.viewRequest(request), format, in: &tx)
        }
      }
    }
    switch found {
    case .success(let export): return export.response(store, exports, for: context.channel)
    case .failure(let refusal): return refusal.response
    }
  }

  private func health(_ context: ConnectionContext, verifies: Bool) async -> Response {
    let found = await result { () throws -> Response in
      // A check takes as long as the store is large.
      let queue = verifies ? checks : queries
      return try await queue.run(for: context.channel, limit: nil) { _ in
        let report = try HealthReport(of: store, verifies: verifies)
        var values = report.values
        (values["eventsPath"], values["version"]) = ("/health/events", report.rows.version)
        return .page(render(.health, values))
      }
    }
    switch found {
    case .success(let page): return page
    case .failure(let refusal): return refusal.response
    }
  }
}
