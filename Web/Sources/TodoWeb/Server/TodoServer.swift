import PageServer
import Presentation
import TodoImages
public import TodoKit
public import TodoPrompt

/// The server of the page: one list, on this machine alone unless it is told another address.
///
/// What it takes is bounded: a size for each kind of form, and all that a `WebServer` bounds.
public struct TodoServer: Sendable {
  private let handlers: PageHandlers
  private let server: WebServer

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - repository: The list.
  ///   - settings: The language, the day it is, and the priority of what is typed without one.
  ///   - host: The address to listen at, which browsers name too.
  ///   - port: The port to listen at; 0 for a free one.
  /// - Throws: An error of the template engine for a template that cannot be read; ``PromptError`` when
  ///   there is no folder for the list.
  public init(
    repository: any TodoRepository, settings: TodoSettings, host: String = "127.0.0.1",
    port: Int = 0
  ) throws {
    let renderer = try PageRenderer()
    handlers = PageHandlers(
      site: Site(
        repository: repository, settings: settings, renderer: renderer,
        images: AnimalImages.ofProcess()))
    server = WebServer(
      ServedSite(
        name: "todo", homePath: "/lists/all", filePath: try settings.listPath(),
        folder: Self.folder(of: settings),
        refusal: renderer.refusal(in: PageText(language: settings.language))),
      host: host, port: port)
  }

  /// A new link to the server that shows the list of some settings; nil where none runs.
  ///
  /// - Throws: ``PromptError`` when there is no folder for the list; `StartError` where the link
  ///   cannot be made.
  public static func link(for settings: TodoSettings) throws -> String? {
    try WebServer.link(toFile: settings.listPath(), in: folder(of: settings))
  }

  /// Serves until SIGINT or SIGTERM, or until the task is cancelled.
  ///
  /// Open pages try to connect again until there is a server at the same address.
  ///
  /// - Parameter onStart: Called with the address to open, once the server listens.
  /// - Throws: `StartError` for an address that cannot be listened at, and where no link can be made;
  ///   an error of the system.
  public func run(onStart: @escaping @Sendable (String) async -> Void) async throws {
    try await server.run(
      addRoutes: handlers.addRoutes, refuse: handlers.refusal, onStart: onStart)
  }

  /// Where servers of this user leave what `--link` needs.
  private static func folder(of settings: TodoSettings) -> String {
    WebServer.folder(named: "web", in: settings.stateFolder)
  }
}
