import Foundation
import Hummingbird
import PageServer
import Presentation
import TodoKit
import TodoPrompt

/// The routes of the server, and its answers to reads: pages, their events, and what a line says.
///
/// Writes are forms; ``ActionHandlers``, ``ItemHandlers`` and ``GroupHandlers`` answer them.
struct PageHandlers: Sendable {
  let site: Site

  func addRoutes(to router: Hummingbird.Router<ConnectionContext>) {
    let actions = ActionHandlers(site: site)
    let items = ItemHandlers(site: site)
    let groups = GroupHandlers(site: site)
    func answer(
      _ method: HTTPRequest.Method, _ path: RouterPath,
      _ handler: @escaping @Sendable (Visit) async throws -> Response
    ) {
      router.on(path, method: method) { [site] request, context in
        let visit = Visit(request, context, at: site)
        do {
          return try await handler(visit)
        } catch let error as TodoError {
          return visit.refuse(error, back: nil)
        } catch  where !(error is any HTTPResponseError) {
          // The guard answers what is about the request itself.
          return visit.refuse(TodoError.storage(error), back: nil)
        }
      }
    }
    answer(.get, "/") { _ in .redirect(to: "/lists/all", type: .normal) }
    answer(.get, "/lists/:list") { try page($0) }
    answer(.get, "/lists/:list/events") { events($0) }
    answer(.get, "/lists/:list/typed") { typed($0) }
    answer(.get, "/help") { help($0) }
    answer(.post, "/settings") { try await actions.setLook($0) }
    answer(.post, "/lists/:list/items") { try await actions.add($0) }
    answer(.post, "/actions") { try await actions.act($0) }
    answer(.get, "/items/new") { try items.newForm($0) }
    answer(.post, "/items/new") { try await items.add($0) }
    answer(.get, "/items/:id") { try items.form($0) }
    answer(.post, "/items/:id") { try await items.save($0) }
    answer(.get, "/groups/new") { groups.newForm($0) }
    answer(.post, "/groups/new") { try await groups.add($0) }
    answer(.get, "/groups/:id/edit") { try groups.form($0) }
    answer(.post, "/groups/:id/edit") { try await groups.save($0) }
    answer(.get, "/groups/:id/picture") { try groups.picture($0) }
    let assets: [(String, [UInt8], String)] = [
      ("page.css", PackageResources.page_css, "text/css"),
      ("page.js", PackageResources.page_js, "text/javascript"),
      ("live.js", PackageResources.live_js, "text/javascript"),
      ("icon.svg", PackageResources.icon_svg, "image/svg+xml"),
      ("grip.svg", PackageResources.grip_svg, "image/svg+xml"),
      ("star.svg", PackageResources.star_svg, "image/svg+xml"),
      ("star-full.svg", PackageResources.star_full_svg, "image/svg+xml"),
      ("more.svg", PackageResources.more_svg, "image/svg+xml"),
      ("bin.svg", PackageResources.bin_svg, "image/svg+xml"),
    ]
    for (name, bytes, type) in assets {
      router.get("/assets/\(name)") { _, _ in Response.asset(bytes, type: type) }
    }
  }

  /// The answer to a request that no handler answers: its path is unknown, or its body too large.
  @Sendable func refusal(
    _ request: Request, _ context: ConnectionContext, _ status: HTTPResponse.Status
  ) -> Response {
    let visit = Visit(request, context, at: site)
    guard status == .contentTooLarge else {
      return visit.refuse(visit.text.noSuchPage, status, back: nil)
    }
    // Only a group's form has something that is larger than a text: its picture.
    let why =
      request.uri.path.hasPrefix("/groups/")
      ? visit.text.pictureTooLarge(megabytes: GroupHandlers.pictureBytesMax >> 20)
      : visit.text.tooLarge
    return visit.refuse(why, status, back: nil)
  }

  private func page(_ visit: Visit) throws -> Response {
    guard let address = visit.address else { return visit.noSuchPage() }
    let said = visit.query("said").flatMap(FormAction.Said.init(rawValue:)).map(visit.text.said)
    return try visit.list(at: address, said: said)
  }

  private func events(_ visit: Visit) -> Response {
    // The language of the page, which that of the browser may have left.
    let language = visit.query("language").flatMap(PageSettings.language) ?? visit.text.language
    guard let address = visit.address, let pages = site.pages(in: language) else {
      return visit.noSuchPage()
    }
    guard pages.hasRoom(for: address) else {
      return visit.refuse(visit.text.tooMany, .serviceUnavailable, back: nil)
    }
    let version = visit.request.headers[named: "Last-Event-ID"] ?? visit.query("version")
    let stream = PageStream(pages: pages, address: address, version: version)
    return stream.response(to: visit.request, in: visit.context)
  }

  /// What a line says that is being typed, as a fragment of HTML.
  private func typed(_ visit: Visit) -> Response {
    guard let address = visit.address else { return visit.noSuchPage() }
    let chips = TypedChips(
      line: visit.query("line") ?? "", in: address.list.groupID, of: site, visit.text)
    return .page(site.renderer.render(chips.values, "chips"))
  }

  private func help(_ visit: Visit) -> Response {
    let text = visit.text
    let hasKeys = PageSettings(visit.request).hasKeys
    return .page(
      visit.page(
        "help",
        [
          "pageTitle": text.shortcuts, "helpLabel": text.shortcuts, "grammar": text.grammar,
          "close": text.close, "back": Visit.back(visit.query("back")),
          "keys": text.keys.map { ["keys": $0.keys, "what": $0.what] as [String: Any] },
          "switchLabel": text.keysEverywhere,
          "switches": [("on", text.on, hasKeys), ("off", text.off, !hasKeys)].map {
            ["value": $0, "name": $1, "pressed": "\($2)"]
          },
        ]))
  }
}

extension Visit {
  /// The page of a list as it is now.
  func list(
    at address: ListAddress, attempt: PageRenderer.Attempt = .init(), said: String? = nil,
    status: HTTPResponse.Status = .ok
  ) throws -> Response {
    do {
      let parts = site.renderer.parts(
        of: try site.repository.overview(address.request(on: site.settings.today)), at: address,
        today: site.settings.today,
        time: site.settings.time, in: text)
      guard parts.exists else { return noSuchPage() }
      return .page(
        site.renderer.list(parts, at: address, attempt: attempt, said: said, in: text, theme),
        status: status)
    } catch let error as TodoError {
      return refuse(error, back: nil)
    }
  }
}
