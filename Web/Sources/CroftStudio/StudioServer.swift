public import Croft
import PageServer

/// The server of the studio: pages over the file of any store, on this machine alone.
///
/// It reads, unless it is made to write. The store is opened with no model declared: for reading only, or with the
/// models of the file.
public struct StudioServer: Sendable {
  private let handlers: StudioHandlers
  private let server: WebServer

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - store: The store to show.
  ///   - path: The path of its file, by which a running server is found.
  ///   - stateFolder: The folder for the state of Croft's programs, of this user alone; nil without a home.
  ///   - port: The port to listen at, up to 65535; 0 for a free one.
  ///   - isWritable: Whether objects are changed; then the store uses the models of the file.
  /// - Throws: An error of the template engine for a template that cannot be read.
  public init(
    store: Store, path: String, stateFolder: String?, port: Int = 0, isWritable: Bool = false
  ) throws {
    let templates = try StudioTemplates()
    handlers = StudioHandlers(
      store: store, path: path, templates: templates, edits: isWritable ? EditLog() : nil)
    server = WebServer(
      ServedSite(
        name: "studio", homePath: "/", filePath: path, folder: Self.folder(in: stateFolder),
        refusal: templates.render("refusal", ["path": path.shown])),
      port: port)
  }

  /// A new link to the server that shows a file; nil where none runs.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - stateFolder: As in ``init(store:path:stateFolder:port:isWritable:)``.
  /// - Throws: `StartError` where the link cannot be made.
  public static func link(toFile path: String, stateFolder: String?) throws -> String? {
    try WebServer.link(toFile: path, in: folder(in: stateFolder))
  }

  /// Serves until SIGINT or SIGTERM, or until the task is cancelled.
  ///
  /// - Parameter onStart: Called with the address to open, once the server listens.
  /// - Throws: `StartError` for an address that cannot be listened at, and where no link can be made;
  ///   an error of the system.
  public func run(onStart: @escaping @Sendable (String) async -> Void) async throws {
    try await server.run(
      addRoutes: handlers.addRoutes, refuse: handlers.refusal, onStart: onStart)
  }

  private static func folder(in stateFolder: String?) -> String {
    WebServer.folder(named: "studio", in: stateFolder)
  }
}
