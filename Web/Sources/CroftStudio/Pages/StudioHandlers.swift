import Croft
import Foundation
import Hummingbird
import PageServer

/// The routes of the studio, and its answers.
struct StudioHandlers: Sendable {
  let store: Store
  let path: String
  let templates: StudioTemplates
  /// The commits of the studio; nil where it only reads.
  let edits: EditLog?

  /// A page that does not exist.
  struct Missing: Error {
    let what: String
  }

  func addRoutes(to router: Router<ConnectionContext>) {
    func answer(
      _ path: RouterPath,
      _ handler: @escaping @Sendable (Request, ConnectionContext) throws -> Response
    ) {
      router.get(path) { [self] request, context in
        try self.answer { try handler(request, context) }
      }
    }
    answer("/") { _, _ in try models() }
    answer("/models/:model") { try grid($0, $1) }
    answer("/models/:model/objects/:key") { try object($1) }
    answer("/models/:model/objects/:key/values/:property") { try bytes($1) }
    addEditRoutes(to: router)
    router.get("/assets/studio.css") { _, _ in
      Response.asset(PackageResources.studio_css, type: "text/css")
    }
  }

  /// The answer of a handler, or a page about what it throws.
  func answer(_ handler: () throws -> Response) throws -> Response {
    do {
      return try handler()
    } catch let missing as Missing {
      return message(missing.what, .notFound)
    } catch let error as StoreError {
      return message("\(error)", error.isRetryable ? .serviceUnavailable : .internalServerError)
    } catch let error as QueryTextError {
      return message("\(error)", .internalServerError)
    }
  }

  /// The answer to a request that no handler answers.
  @Sendable func refusal(
    _ request: Request, _ context: ConnectionContext, _ status: HTTPResponse.Status
  ) -> Response {
    message(
      status == .contentTooLarge ? "The request is too large." : "There is no such page.", status)
  }

  private func models() throws -> Response {
    let models = try store.models.map { model in
      [
        "name": model.name, "path": StudioPath.model(model.name), "objects": model.objectCount,
        "bytes": Self.size(model.bytes), "properties": model.properties.count,
        "key": model.primaryKey.joined(separator: ", "),
      ] as [String: Any]
    }
    return .page(render("models", ["title": fileName, "models": models]))
  }

  private func grid(_ request: Request, _ context: ConnectionContext) throws -> Response {
    let shown = Self.gridRequest(request)
    return try store.read { tx in
      let model = try self.model(context, in: &tx)
      var values: [String: Any] = [
        "title": model.name, "name": model.name, "objects": model.objectCount,
        "path": StudioPath.model(model.name), "query": shown.filter.shown,
        "columns": model.properties.map { Self.column($0, of: model, shown) },
      ]
      if !shown.sort.isEmpty { values["sort"] = shown.sort.shown }
      let grid: ObjectGrid
      do {
        grid = try ObjectGrid(of: model, shown, in: &tx)
      } catch let problem as ObjectGrid.Problem {
        values["error"] = problem.text.shown
        return .page(render("grid", values), status: .unprocessableContent)
      }
      values["rows"] = grid.rows
      values["editPath"] = "\(StudioPath.model(model.name))/edit\(StudioPath.query(shown))"
      values["notes"] = grid.notes.map { ["note": $0.shown] }
      if grid.rows.isEmpty { values["hasNoRows"] = true }
      if shown.after != nil {
        values["firstPath"] = StudioPath.grid(
          model.name, ObjectGrid.Request(filter: shown.filter, sort: shown.sort))
      }
      values["nextPath"] = grid.next.map { StudioPath.grid(model.name, $0) }
      return .page(render("grid", values))
    }
  }

  /// What the address of a grid asks for.
  static func gridRequest(_ request: Request) -> ObjectGrid.Request {
    ObjectGrid.Request(
      filter: field("query", of: request) ?? "", sort: field("sort", of: request) ?? "",
      after: field("after", of: request), from: field("from", of: request))
  }

  private func object(_ context: ConnectionContext) throws -> Response {
    try store.read { tx in
      let model = try self.model(context, in: &tx)
      guard let key = context.parameters.get("key").flatMap(ObjectKey.init(path:)),
        let details = try ObjectDetails(of: model, key, in: &tx)
      else { throw Missing(what: "There is no such object of \(model.name).") }
      return .page(
        render(
          "object",
          [
            "title": "\(model.name) \(key.title)", "name": model.name, "key": key.title,
            "path": StudioPath.model(model.name), "values": details.values,
            "objectPath": StudioPath.object(key, of: model.name),
            "hasLinks": !details.links.isEmpty, "links": details.links,
          ]))
    }
  }

  private func bytes(_ context: ConnectionContext) throws -> Response {
    try store.read { tx in
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
    .page(render("message", ["title": fileName, "message": text]), status: status)
  }

  func render(_ template: String, _ values: [String: Any]) -> String {
    var values = values
    if let title = values["title"] as? String { values["title"] = title.shown }
    values["file"] = fileName.shown
    values["fullPath"] = path.shown
    if let edits {
      values["isWritable"] = true
      if let said = edits.said { values["said"] = said.shown }
      if edits.step != nil { values["hasUndo"] = true }
    }
    return templates.render(template, values)
  }

  private var fileName: String { URL(filePath: path).lastPathComponent }

  /// A field of the form in the address; nil without one.
  ///
  /// Forms write a space as `+`, which elsewhere in an address is itself.
  private static func field(_ name: String, of request: Request) -> String? {
    for part in (request.uri.query ?? "").split(separator: "&") {
      let texts = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        String($0).replacing("+", with: " ").removingPercentEncoding
      }
      if texts.first == name, texts.count == 2 { return texts[1] }
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

  /// A size for people.
  private static func size(_ bytes: Int) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    var (size, unit) = (Double(bytes), 0)
    while size >= 1024, unit < units.count - 1 {
      size /= 1024
      unit += 1
    }
    return unit == 0 ? "\(bytes) bytes" : "\((size * 10).rounded() / 10) \(units[unit])"
  }
}
