import HTTPTypes
import Hummingbird

/// Lets through only requests of a browser that was opened with the printed address.
///
/// A page of another site can make a browser send requests here, and a name can be bound to this
/// address. So the `Host` of each request must be this server's, and the `Origin` of each write; the
/// cookie is out of reach for scripts, and is not sent along from other sites.
struct AccessGuard: RouterMiddleware {
  let tokens: AccessTokens
  /// The port that the server listens at, once it does.
  let port: BoundPort

  func handle(
    _ request: Request, context: TodoContext,
    next: (Request, TodoContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await answer(request, context: context, next: next)
    } catch let error as HTTPError {
      // For an unknown path, and for a body that is too large.
      response = try error.response(from: request, context: context)
    }
    for (name, value) in Self.headers where response.headers[named: name] == nil {
      response.headers[named: name] = value
    }
    return response
  }

  private func answer(
    _ request: Request, context: TodoContext,
    next: (Request, TodoContext) async throws -> Response
  ) async throws -> Response {
    let port = port.value
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard let host = request.head.authority, hosts.contains(host) else {
      return .text("This server answers only to 127.0.0.1:\(port).", status: .forbidden)
    }
    let cookieName = "todo-\(port)"
    if let token = request.uri.queryParameters["token"].map(String.init) {
      guard token.isSameSecret(as: tokens.link) else {
        return .text("The token is not the one that was printed.", status: .unauthorized)
      }
      var response = Response.redirect(to: "/lists/all", type: .normal)
      response.headers[named: "Set-Cookie"] =
        "\(cookieName)=\(tokens.session); Path=/; HttpOnly; SameSite=Strict"
      return response
    }
    guard let cookie = request.cookies[cookieName]?.value, cookie.isSameSecret(as: tokens.session)
    else {
      return .text(
        "Open the address that todo-web printed when it started.", status: .unauthorized)
    }
    if request.method != .get, request.method != .head {
      // A form of this server's own pages says where it comes from; nothing else may write.
      let origin = request.headers[named: "Origin"]
      guard let origin, origin == "http://\(host)" else {
        return .text("A change must come from a page of this server.", status: .forbidden)
      }
    }
    return try await next(request, context)
  }

  private static let headers = [
    "Content-Security-Policy":
      "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin",
  ]
}

extension HTTPFields {
  /// The value of the header with a name; nil without one.
  subscript(named name: String) -> String? {
    get { HTTPField.Name(name).flatMap { self[$0] } }
    set { if let name = HTTPField.Name(name) { self[name] = newValue } }
  }
}
