import Foundation
import PageServerTesting

extension TestServer {
  /// Starts a `todo-web` of its own, on a list of its own.
  ///
  /// - Parameters:
  ///   - limits: What the shell does before, such as `ulimit -n 200`.
  ///   - host: The address to listen at; nil for that of a server that was told none.
  convenience init(limits: String = "true", host: String? = nil) throws {
    let folder = try Self.makeFolder()
    let program = Program(
      "todo-web",
      environment: [
        "TODO_DB": folder.appending(path: "list.croft").path, "TODO_PRIORITY": "normal",
      ],
      homePath: "/lists/all")
    try self.init(program, in: folder, limits: limits, host: host)
  }

  /// The path of the list.
  var list: String { folder.appending(path: "list.croft").path }

  /// Connects to the events of a page.
  func events(
    _ query: String = "", cookie: String, buffer: Int32? = nil
  ) throws -> TestConnection {
    let connection = try TestConnection(to: port, buffer: buffer)
    connection.send(
      "GET /lists/all/events\(query) HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\n\r\n")
    return connection
  }
}
