import Foundation
import Hummingbird
import NIOCore
import PageServer
import Presentation
import TodoKit
import TodoPrompt

/// One request, and the kinds of answers to it.
///
/// A form is answered with a page; the page's script gets the same as one JSON object with `said`,
/// `error`, `html` or `location`.
struct Visit {
  let site: Site
  let request: Request
  let context: ConnectionContext
  let text: PageText
  let theme: PageTheme

  init(_ request: Request, _ context: ConnectionContext, at site: Site) {
    (self.site, self.request, self.context) = (site, request, context)
    let settings = PageSettings(request)
    text = PageText(language: settings.language ?? site.settings.language)
    theme = settings.theme
  }

  /// Whether the script of a page asks.
  var isScript: Bool { request.headers[named: "Accept"] == "application/json" }

  /// A parameter of the address; nil without one.
  func query(_ name: String) -> String? { request.uri.queryParameters[name[...]].map(String.init) }

  /// The id that the path names; nil without one.
  func id(_ name: String) -> UUID? { context.parameters.get(name).flatMap(UUID.init(uuidString:)) }

  /// The list that the address names, as the page shows it; nil for one that no address names.
  var address: ListAddress? {
    ListAddress(name: context.parameters.get("list") ?? "") { query($0) }
  }

  /// Reads the form in the body.
  ///
  /// - Throws: An error that is answered with 413 for a body that is too large; one that says so in
  ///   its headers is not read.
  func form(upTo bytesMax: Int? = nil) async throws -> FormFields {
    let bytesMax = bytesMax ?? context.maxUploadSize
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > bytesMax {
      throw HTTPError(.contentTooLarge)
    }
    let body = try await context.withTimeout { try await request.body.collect(upTo: bytesMax) }
    return FormFields(
      body: Data(body.readableBytesView), contentType: request.headers[named: "Content-Type"] ?? "")
  }

  /// The text for a user about an error.
  func message(for error: any Error) -> String {
    if case TodoError.notFound = error { return text.noSuchItem }
    return MessageCatalog.todo(in: text.language).message(for: error)
  }

  /// Renders a page in the language and the colours of this browser.
  func page(_ name: String, _ values: [String: Any]) -> String {
    site.renderer.page(name, values, in: text, theme)
  }
}

// Answers.
extension Visit {
  /// Answers a form that was performed.
  ///
  /// - Parameters:
  ///   - result: What was done, whose undo the page offers if there is one.
  ///   - name: The name that was stored, which may not be the one that was typed.
  func succeed(
    _ form: FormFields, _ said: FormAction.Said, _ result: CommandResult? = nil,
    named name: String? = nil
  ) -> Response {
    let leftAlone = result.flatMap { text.leftAlone($0.leftAlone) }
    if isScript {
      let done = name.map { text.named($0.shown) } ?? text.said(said)
      // Where all was left alone, nothing was done.
      let isDone = result.map { !$0.items.isEmpty || !$0.groups.isEmpty } ?? true
      var values = ["said": leftAlone.map { isDone ? "\(done) \($0)" : $0 } ?? done]
      values["undo"] = result?.step?.description
      return json(values, .ok)
    }
    if let leftAlone { return refuse(leftAlone, .ok, back: form["back"]) }
    let back = Self.back(form["back"])
    return .redirect(to: back + (back.contains("?") ? "&" : "?") + "said=\(said.rawValue)")
  }

  /// Answers with a page that asks for something, which the script shows in a dialog.
  func ask(_ html: String, _ status: HTTPResponse.Status = .ok) -> Response {
    isScript ? json(["html": html], status) : .page(html, status: status)
  }

  /// Sends the browser to another page.
  func go(to path: String) -> Response {
    isScript ? json(["location": path], .ok) : .redirect(to: path)
  }

  /// Answers a form that was not performed.
  func refuse(_ why: String, _ status: HTTPResponse.Status, back: String?) -> Response {
    if isScript { return json(["error": why], status) }
    let html = page(
      "message",
      [
        "message": why, "back": Self.back(back), "backLabel": text.back, "pageTitle": why,
      ])
    return .page(html, status: status)
  }

  /// Answers a form whose input a rule refuses, or that the store did not perform.
  func refuse(_ error: any Error, back: String?) -> Response {
    refuse(message(for: error), Self.status(of: error), back: back)
  }

  func noSuchPage() -> Response { refuse(text.noSuchPage, .notFound, back: nil) }

  func json(_ values: [String: String], _ status: HTTPResponse.Status) -> Response {
    // A dictionary of texts can be encoded, whatever it holds.
    let bytes = (try? JSONEncoder().encode(values)) ?? Data("{}".utf8)
    return Response(
      status: status, headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// Where a form came from: a page of this server, whatever the form says.
  static func back(_ path: String?) -> String {
    guard let path, path.hasPrefix("/lists/") || path.hasPrefix("/items/"),
      path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !path.contains("/."), !path.contains("//")
    else { return "/lists/all" }
    return path
  }

  static func status(of error: any Error) -> HTTPResponse.Status {
    switch error {
    case let issue as ValidationIssue:
      issue.code == .reservedName ? .conflict : .unprocessableContent
    case TodoError.notFound, TodoError.groupNotFound: .notFound
    case TodoError.folder, TodoError.storage, TodoError.readOnly, TodoError.historyIncomplete:
      .internalServerError
    case TodoError.noImage: .badGateway
    default: .conflict
    }
  }
}

extension String {
  /// The text as a value in the query of an address.
  var asQueryValue: String {
    addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
