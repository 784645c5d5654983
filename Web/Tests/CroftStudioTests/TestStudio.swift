import Croft
import Foundation
import PageServerTesting

@testable import CroftStudio

@Model struct Shelf {
  @PrimaryKey var id: Int
  var name: String
}

/// A program whose model has one more property.
enum NewerProgram {
  @Model struct Shelf {
    @PrimaryKey var id: Int
    var name: String
    var floor = 3
  }
}

/// A program in which a property has another name.
enum RenamingProgram {
  @Model struct Shelf {
    @PrimaryKey var id: Int
    @Renamed(from: "name") var label: String
  }
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
  var film: Data?
}

/// Refers to keys of several properties.
@Model struct Assist {
  @PrimaryKey var id: Int
  var goal: Ref<Goal>?
  var matches: [Ref<Match>] = []
  var shelves: [String: Ref<Shelf>] = [:]
}

/// A key that any text can be.
@Model struct Word {
  @PrimaryKey var text: String
  var earlier: Ref<Word>?
}

enum Mood: Int, StoredEnum, CaseIterable { case calm = 1, wild }

@Model struct Author {
  @PrimaryKey var id: Int
  var name: String
  var first: Ref<Poem>?
}

/// Enums whose cases the file does not have, and others.
enum Rank: Int, StoredEnum { case low = 1, high }

enum Tone: String, StoredEnum, CaseIterable { case soft = "s", loud = "<l>" }

@Model struct Medal {
  @PrimaryKey var id: Int
  var rank = Rank.low
  var ranks: [Rank] = []
  @Coded var facts: [String: [Int]] = [:]
  var tone = Tone.soft
  var tones: [Tone] = []
  var page: URL?
}

/// Values that are edited.
@Model struct Poem {
  @PrimaryKey var id: Int
  var title: String
  var code: String
  var mood = Mood.calm
  var note: String?
  var tags: [String] = []
  var price: Decimal = 0
  var writtenAt: Date?
  @Relation(onDelete: .cascade) var author: Ref<Author>?
  var weight: Double?
  var seal: Data?
  #Unique<Poem>([\.code])
}

/// A unique property with as many values as objects.
@Model struct Lamp {
  @PrimaryKey var id: Int
  var isOn: Bool
  #Unique<Lamp>([\.isOn])
}

@Embedded struct Picture {
  var bytes: Data
  var width: Int
}

/// A struct that may be nil, beside objects that go with it.
@Model struct Album {
  @PrimaryKey var id: Int
  var picture: Picture?
}

@Model struct Track {
  @PrimaryKey var id: Int
  @Relation(onDelete: .cascade) var album: Ref<Album>?
}

@Model struct Quote {
  @PrimaryKey var id: Int
  var poem: Ref<Poem>?
  var others: [Ref<Poem>] = []
}

@Model struct Prize {
  @PrimaryKey var id: Int
  @Relation(onDelete: .deny) var author: Ref<Author>
}

/// Values that are sorted.
@Model struct Sample {
  @PrimaryKey var id: Int
  @Indexed var size: Double?
  var weight: Double?
  @Indexed var title: String
  var takenAt: Date?
}

enum LoanState: String, StoredEnum, CaseIterable {
  case started, ended
  case due = "is \"due\""
}

@Model struct Loan {
  @PrimaryKey var id: Int
  var isOpen: Bool
  var state: LoanState?
  var shelf: Ref<Shelf>?
}

/// A `croft-studio` of its own, on a store of its own, and a browser that it has let in.
struct TestStudio {
  let server: TestServer
  private let cookie: String
  /// The file of the store.
  let file: URL

  /// Starts the studio.
  ///
  /// - Parameters:
  ///   - arguments: What the program is told beside the file.
  ///   - writes: Whether it may change objects.
  ///   - mark: A text whose bytes are damaged in the file, before the studio opens it; nil for none.
  ///   - fill: Writes the objects of the store.
  init(
    _ arguments: String..., writes: Bool = false, damaging mark: String? = nil,
    fill: (inout WriteTransaction) throws -> Void = { _ in }
  ) throws {
    let folder = try TestServer.makeFolder()
    file = folder.appending(path: "books.croft")
    try Self.makeStore(at: file, fill)
    if let mark { try Self.damage(mark, in: file) }
    server = try TestServer(
      .init(
        "croft-studio", arguments: (writes ? ["--write"] : []) + [file.path] + arguments,
        homePath: "/"),
      in: folder)
    cookie = try server.cookie()
  }

  static let models: [any Model.Type] = [
    Shelf.self, Volume.self, Match.self, Goal.self, Assist.self, Word.self, Sample.self,
    Author.self, Poem.self, Quote.self, Prize.self, Loan.self, Album.self,
    Track.self, Medal.self,
  ]

  /// Changes the last byte of a text wherever the file has it.
  private static func damage(_ mark: String, in file: URL) throws {
    var (bytes, start) = (try Data(contentsOf: file), 0)
    while let place = bytes[start...].range(of: Data(mark.utf8)) {
      bytes[place.upperBound - 1] ^= 1
      start = place.upperBound
    }
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: bytes)
    try handle.close()
  }

  /// Makes a store, and closes it.
  static func makeStore(
    at file: URL, _ fill: (inout WriteTransaction) throws -> Void
  ) throws {
    let store = try Store.open(at: file, models: models)
    try store.write { try fill(&$0) }
  }

  /// The request for a page, as the browser sends it.
  func request(_ path: String) -> String { server.request("GET", path, ["Cookie": cookie]) }

  /// Asks for a page as the browser does.
  func page(_ path: String, _ headers: [String: String] = [:]) throws -> TestAnswer {
    try server.ask("GET", path, headers.merging(["Cookie": cookie]) { mine, _ in mine })
  }

  /// Sends fields as a form does.
  ///
  /// - Parameter headers: Those beside the cookie; nil for those of a page of the studio.
  func post(
    _ path: String, _ fields: [(String, String)], _ headers: [String: String]? = nil
  ) throws -> TestAnswer {
    let body = fields.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }
      .joined(separator: "&")
    return try server.ask(
      "POST", path,
      (headers ?? ["Origin": server.origin]).merging(["Cookie": cookie]) { mine, _ in mine },
      body: body)
  }

  /// Undoes as the button of a page does; without one as that of the first page.
  func undo(on page: TestAnswer? = nil) throws -> TestAnswer {
    let text = try page?.text ?? self.page("/").text
    let mark = text.firstMatch(of: #/name="mark" value="([^"]*)"/#)?.output.1
    return try post("/undo", [("mark", mark.map(String.init) ?? "")])
  }

  /// Sends a form.
  func post(_ form: TestForm) throws -> TestAnswer { try post(form.action, form.fields) }

  /// A page has no form.
  struct MissingForm: Error {
    let path: String
  }

  /// The form of a page.
  func form(at path: String) throws -> TestForm {
    guard let form = try page(path).form else {
      throw MissingForm(path: path)
    }
    return form
  }

  /// What the file has.
  func fetch(_ query: String) throws -> [DynamicObject] {
    var options = Store.Options()
    options.isReadOnly = true
    return try Store.open(at: file, models: [], options: options).fetch(DynamicQuery(query))
  }

  /// Writes as another program does.
  func write(_ body: (inout WriteTransaction) throws -> Void) throws {
    try Store.open(at: file, models: Self.models).write { try body(&$0) }
  }

  private static func encoded(_ text: String) -> String {
    let allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "0"..."z"))
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }

  /// What an export of the objects that a condition selects has, put together of its chunks.
  func export(_ model: String, _ format: String, where condition: String) throws -> String {
    let query = condition.isEmpty ? "" : "?query=\(condition.percentEncoded)"
    let answer = try page("/models/\(model)/export/\(format)\(query)")
    var rest = Array(answer.text.utf8)[...]
    var bytes: [UInt8] = []
    while let end = rest.firstRange(of: Array("\r\n".utf8)),
      let count = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16),
      count > 0
    {
      bytes += rest[end.upperBound..<end.upperBound + count]
      rest = rest[(end.upperBound + count + 2)...]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Changes a byte of a text in the file, in place, as damage of a disk does.
  func damage(_ text: String) throws {
    try Self.damage(text, in: file)
  }

  /// The page of a model's objects that a condition selects.
  func grid(_ model: String, where condition: String) throws -> TestAnswer {
    try page(Self.path(model, where: condition))
  }

  /// The path of that page.
  static func path(_ model: String, where condition: String) -> String {
    let allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "0"..."z"))
    let query = condition.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    return "/models/\(model)?query=\(query)"
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

  /// The address of the previous page; nil on the first one.
  var previous: String? { links(#/rel="prev" href="([^"]*)"/#).first }

  /// All addresses on the page.
  var addresses: [String] { links(#/href="([^"]*)"/#) }

  private func links(_ pattern: Regex<(Substring, Substring)>) -> [String] {
    text.matches(of: pattern).map { String($0.output.1).replacing("&amp;", with: "&") }
  }
}

extension StoredValue {
  /// The text of one that is a text.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
