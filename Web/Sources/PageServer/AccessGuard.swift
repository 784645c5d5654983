public import HTTPTypes
import Hummingbird
import NIOCore

/// Lets through only requests of a browser that was opened with a link.
///
/// A page of another site can make a browser send requests here, and a name can be bound to this
/// address. So the `Host` of each request must be this server's, and the `Origin` of each write; the
/// cookie is out of reach for scripts, and is not sent along from other sites.
struct AccessGuard: RouterMiddleware {
  /// What the server knows once it listens.
  let access: Access
  /// The pages that the server begins with.
  let site: ServedSite
  /// The answer to a request that no handler answers.
  let refuse: @Sendable (Request, ConnectionContext, HTTPResponse.Status) -> Response

  func handle(
    _ request: Request, context: ConnectionContext,
    next: (Request, ConnectionContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await answer(request, context: context, next: next)
    } catch let error as any HTTPResponseError {
      // For an unknown path, and for a body that is too large.
      response = refuse(request, context, error.status)
    }
    // What is answered with a conflict or an issue of validation was read.
    let isRead = response.status.code < 400 || [409, 422].contains(response.status.code)
    if !isRead, request.hasBody {
      // The rest of the request is not read, and the connection is of no more use.
      response.headers[.connection] = "close"
      context.closeSoon()
    }
    for (name, value) in Self.headers where response.headers[named: name] == nil {
      response.headers[named: name] = value
    }
    return response
  }

  private func answer(
    _ request: Request, context: ConnectionContext,
    next: (Request, ConnectionContext) async throws -> Response
  ) async throws -> Response {
    guard let open = access.open, let host = request.head.authority?.lowercased(),
      open.hosts.contains(host)
    else { return .text("This is not the name of this server.", status: .forbidden) }
    let isLetIn = request.cookies[open.cookieName]?.value.isSameSecret(as: open.session) == true
    if let token = request.uri.queryParameters["token"].map(String.init) {
      guard request.method == .get, open.folder.takeLink(token) else {
        // A browser that was let in needs no other link.
        if isLetIn, request.method == .get { return .redirect(to: site.homePath, type: .normal) }
        return .page(site.refusal, status: .unauthorized)
      }
      // A redirect would not have the cookie where a page of another site has the link.
      var response = Response.page(site.entry)
      response.headers[named: "Set-Cookie"] =
        "\(open.cookieName)=\(open.session); Path=/; HttpOnly; SameSite=Strict"
      return response
    }
    guard isLetIn else { return .page(site.refusal, status: .unauthorized) }
    if request.method != .get, request.method != .head {
      // A form of this server's own pages says where it comes from; nothing else may write.
      let origin = request.headers[named: "Origin"]
      guard let origin, origin == "http://\(host)" else {
        return .text("A change must come from a page of this server.", status: .forbidden)
      }
    }
    let response = try await next(request, context)
    // Events are sent for as long as the page is open, each with a limit of its own.
    if response.headers[.contentType] == Response.eventStreamType { return response }
    return response.sent(in: context)
  }

  private static let headers = [
    "Content-Security-Policy":
      "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin",
  ]
}

extension Response {
  /// The same response, of which a reader that takes nothing is disconnected.
  fileprivate func sent(in context: ConnectionContext) -> Response {
    var response = self
    let body = body
    response.body = ResponseBody(contentLength: body.contentLength) { writer in
      if body.contentLength.map({ $0 > PacedWriter.socketBufferBytes }) ?? true {
        context.channel.setOption(
          .socketOption(.so_sndbuf), value: SocketOptionValue(PacedWriter.socketBufferBytes)
        ).whenComplete { _ in }
      }
      try await body.write(PacedWriter(writer, in: context))
    }
    return response
  }
}

extension Request {
  /// Whether something follows the headers.
  fileprivate var hasBody: Bool {
    headers[.transferEncoding] != nil || (headers[.contentLength] ?? "0") != "0"
  }
}

extension HTTPFields {
  /// The value of the header with a name; nil without one.
  public subscript(named name: String) -> String? {
    get { HTTPField.Name(name).flatMap { self[$0] } }
    set { if let name = HTTPField.Name(name) { self[name] = newValue } }
  }
}
