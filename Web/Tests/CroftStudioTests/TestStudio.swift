import Croft
import Foundation
import PageServerTesting

@Model struct Shelf {
  @PrimaryKey var id: Int
  var name: String
}

@Model struct Volume {
  @PrimaryKey var id: Int
  var title: String
  var note: String?
  var cover: Data?
  var shelf: Ref<Shelf>?
  var earlier: [Ref<Volume>] = []
}

@Model struct Match {
  @PrimaryKey var league: String
  @PrimaryKey var number: Int
}

@Model struct Goal {
  @PrimaryKey var match: Ref<Match>
  @PrimaryKey var minute: Int
}

/// A `croft-studio` of its own, on a store of its own, and a browser that it has let in.
struct TestStudio {
  let server: TestServer
  private let cookie: String

  /// Starts the studio.
  ///
  /// - Parameter fill: Writes the objects of the store.
  init(_ fill: (inout WriteTransaction) throws -> Void = { _ in }) throws {
    let folder = try TestServer.makeFolder()
    let file = folder.appending(path: "books.croft")
    let store = try Store.open(
      at: file, models: Shelf.self, Volume.self, Match.self, Goal.self)
    try store.write { try fill(&$0) }
    server = try TestServer(
      .init("croft-studio", arguments: [file.path], homePath: "/"), in: folder)
    cookie = try server.cookie()
    withExtendedLifetime(store) {}
  }

  /// Asks for a page as the browser does.
  func page(_ path: String, _ headers: [String: String] = [:]) throws -> TestAnswer {
    try server.ask("GET", path, headers.merging(["Cookie": cookie]) { mine, _ in mine })
  }

  /// The page of a model's objects that a condition selects.
  func grid(_ model: String, where condition: String) throws -> TestAnswer {
    let allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "0"..."z"))
    let query = condition.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    return try page("/models/\(model)?query=\(query)")
  }
}

extension TestAnswer {
  /// The addresses of the objects in a grid, in its order; of a compound key each once.
  var objects: [String] {
    links(#/<a class="object" href="([^"]*)"/#).reduce(into: []) { objects, link in
      if objects.last != link { objects.append(link) }
    }
  }

  /// The address of the next page; nil on the last one.
  var next: String? { links(#/rel="next" href="([^"]*)"/#).first }

  /// All addresses on the page.
  var addresses: [String] { links(#/href="([^"]*)"/#) }

  private func links(_ pattern: Regex<(Substring, Substring)>) -> [String] {
    text.matches(of: pattern).map { String($0.output.1).replacing("&amp;", with: "&") }
  }
}
