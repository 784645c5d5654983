import PageServer

/// The server of the studio: pages over the file of any store, on this machine alone.
///
/// It reads, unless it is made to write. The store is opened with no model declared: for reading only, or with the
/// models of the file. Queries run on threads of their own, and end when they take too long or when nobody waits for them
/// any more.
public struct StudioServer: Sendable {
  private let handlers: StudioHandlers
  private let server: WebServer

  /// Opens a store, and makes a server that shows it.
  ///
  /// - Parameters:
  ///   - path: The path of the store's file, by which a running server is found.
  ///   - isWritable: Whether the pages may change the store; otherwise it is opened for reading only.
  ///   - stateFolder: The folder for the state of Croft's programs, of this user alone; nil without a home.
  ///   - port: The port to listen at, up to 65535; 0 for a free one.
  ///   - queryLimit: How long a query may take.
  /// - Throws: An error of the store for a file that cannot be opened; one of the template engine for a template
  ///   that cannot be read.
  public init(
    path: String, isWritable: Bool = false, stateFolder: String?, port: Int = 0,
    queryLimit: Duration = .seconds(10)
  ) throws {
    let templates = try StudioTemplates()
    let store = try ShownStore(path: path, isWritable: isWritable)
    handlers = StudioHandlers(
      store: store, queries: QueryQueue(limit: queryLimit),
      exports: QueryQueue(limit: queryLimit, waits: false),
      checks: QueryQueue(limit: queryLimit, countMax: 1, waits: false),
      signal: CommitSignal(of: store), templates: templates,
      edits: isWritable ? EditLog() : nil)
    server = WebServer(
      ServedSite(
        name: "studio", homePath: "/", filePath: path, folder: Self.folder(in: stateFolder),
        refusal: templates.render(.refusal, [:])),
      port: port)
  }

  /// A new link to the server that shows a file; nil where none runs.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - stateFolder: As in ``init(path:isWritable:stateFolder:port:queryLimit:)``.
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
