import Foundation
import Testing

/// What the compiler says of a model's declaration.
@Suite("Errors of a model's declaration", .serialized)
struct ModelErrorTests {
  /// What a program does with a model: each line was an error of its own, 181 in a program of some size.
  private static let uses = """
    func use(_ store: Store) throws {
      let open = Song.where { $0.title == "x" && $0.id > 3 }.order(by: \\.title)
      let songs = try store.fetch(open)
      try store.write { tx in
        for song in songs { try tx.upsert(song) }
        _ = try tx.delete(open)
        try tx.insert(Album(id: 1, song: Ref(songs[0])))
      }
      _ = store.observe(open) { change in print(change.after.count) }
    }
    @Model struct Album {
      @PrimaryKey var id: Int
      var song: Ref<Song>?
    }
    """

  @Test(arguments: [
    ("public var isFavorite = state()", "'isFavorite' needs a type annotation"),
    ("public let isFavorite = true", "'isFavorite' is a constant with a value"),
    ("public var isFavorite: Bool { didSet {} }", "'isFavorite' has observers"),
  ])
  func aMistakeIsOneError(property: String, message: String) async throws {
    let errors = try await errors(
      in: """
        @Model public struct Song {
          @PrimaryKey public var id: Int
          public var title: String = ""
          \(property)
        }
        func state() -> Bool { false }
        \(Self.uses)
        """)
    #expect(errors.count == 1, "\(errors)")
    #expect(errors.first?.contains(message) == true)
  }

  @Test func aModelWithoutAKeyIsOneError() async throws {
    let errors = try await errors(
      in: """
        @Model struct Song {
          var id: Int
          var title: String
        }
        \(Self.uses)
        """)
    #expect(errors.count == 1, "\(errors)")
    #expect(errors.first?.contains("'Song' has no primary key") == true)
  }

  @Test(arguments: [
    ("var place: Point", "cannot be stored"), ("var pair: (Int, Int)", "cannot be stored"),
    ("var places: [Point] = []", "cannot be stored"), ("var other: Point?", "cannot be stored"),
    ("var made: @Sendable (Int) -> Int", "cannot be stored"),
    ("var any: any Sendable", "cannot be stored"),
    ("var album: Album", "write Ref<Author> for Author"),
    ("var album: Album?", "write Ref<Author>? for Author?"),
    ("var albums: [Album] = []", "write [Ref<Book>] for [Book]"),
    ("var parts: [Part] = []", "mark the property @Coded"),
    ("@Indexed var place: Point", "cannot be indexed"),
    ("@Indexed var names: [String: Int] = [:]", "has no order"),
  ])
  func aTypeThatCannotBeStoredIsOneErrorAtItsProperty(
    property: String, message: String
  ) async throws {
    let errors = try await errors(
      in: """
        struct Point { var x = 0 }
        @Model struct Song {
          @PrimaryKey var id: Int
          var title: String = ""
          \(property)
        }
        @Embedded struct Part { var name = "" }
        \(Self.uses)
        """)
    #expect(errors.count == 1, "\(errors)")
    #expect(errors.first?.contains(message) == true, "\(errors)")
    #expect(errors.first?.contains(":6:") == true, "\(errors)")
  }

  @Test func aPublicModelsDefaultsMayNameWhatIsNotPublic() async throws {
    let errors = try await errors(
      in: """
        @Embedded public struct Settings: Hashable {
          public var theme: Int = 1
          public var name = "light"
        }
        let first = 7
        @Model public struct User {
          @PrimaryKey public var id: Int
          public var settings: Settings = Settings()
          public var place: Int = first
          public var isActive = false
          public var balance = -1.5
          private var visits: Int = first
        }
        public enum Shop {
          static let usual = 3
          public enum State: Int, StoredEnum { case open, closed }
          @Model public struct Order {
            @PrimaryKey public var number: Int
            public var count: Int = usual
            public var state: Shop.State = State.open
          }
        }
        """)
    #expect(errors == [])
  }

  /// The lines with errors of a source that is not built.
  private func errors(in source: String) async throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "croft-\(UUID()).swift")
    try ("import Croft\n" + source).write(to: file, atomically: true, encoding: .utf8)
    defer {
      // A file that cannot be removed is litter and no failure of the test.
      try? FileManager.default.removeItem(at: file)
    }
    let root = (0..<3).reduce(URL(filePath: #filePath).resolvingSymlinksInPath()) {
      url, _ in url.deletingLastPathComponent()
    }
    let output = try await Compiler.run(
      ["-typecheck", "-suppress-warnings", file.path], root: root)
    return output.split(separator: "\n").map(String.init).filter {
      $0.contains(": error: ") && !$0.hasPrefix(" ")
    }
  }
}
