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
    ("var names: [[String]] = []", "cannot be stored"),
    ("var sums: [[Int]] = []", "cannot be stored"),
    ("var parts: [[UInt8]] = []", "cannot be stored"),
    ("var names: [[String]?] = []", "cannot be stored"),
    ("var note: String??", "cannot be an optional of an optional"),
    ("@Relation(onDelete: .cascade) var plays = 0", "holds no reference"),
    ("@Relation(onDelete: .nullify) var album: Ref<Album>", "cannot be nullified"),
    ("@Indexed(.caseFolded) var plays = 0", "no letter case"),
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

  /// The compiler adds that the key path does not convert; it said nothing of the name before.
  @Test func anIndexOfAMisspelledPropertyNamesIt() async throws {
    let errors = try await errors(
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          var title: String = ""
          #Unique<Song>([\\.ttile])
        }
        """)
    #expect(
      errors.contains {
        $0.contains(":5:") && $0.contains("'Song' has no stored property 'ttile'")
      },
      "\(errors)")
  }

  @Test func aKeyOfATypeThatNoKeyHasIsOneErrorAtItsProperty() async throws {
    let errors = try await errors(
      in: """
        @Model struct Song {
          @PrimaryKey var id: Double
          var title: String = ""
        }
        func use(_ store: Store) throws {
          try store.write { tx in try tx.insert(Song(id: 1, title: "a")) }
        }
        """)
    #expect(errors.count == 1, "\(errors)")
    #expect(errors.first?.contains("'id' cannot be of type Double") == true, "\(errors)")
    #expect(errors.first?.contains(":3:") == true, "\(errors)")
  }

  /// The first error was about the macro's expansion, and none about the property.
  @Test func aKeyOfAnotherTypeIsAnErrorAtItsPropertyToo() async throws {
    let errors = try await errors(
      in: """
        struct Point: Hashable { var x = 0 }
        @Model struct Song {
          @PrimaryKey var id: Point
        }
        """)
    #expect(
      errors.contains { $0.contains(":4:") && $0.contains("cannot be a primary key") },
      "\(errors)")
  }

  /// "generic parameter 'M' could not be inferred" was the first that the compiler said of each.
  @Test(arguments: [
    ("Song.filter { $0.title == \"a\" }", "where"),
    ("Song.all.filter { $0.title == \"a\" }", "where"),
    ("Song.sorted(by: \\.title)", "order(by:"),
    ("Song.all.sorted { $0.title < $1.title }", "order(by:"),
    ("Song.where { $0.released.year == 2020 }", "start(of: .year"),
    ("Song.where { $0.recorded.month == 2 }", "start(of: .month"),
  ])
  func whatIsWrittenForArraysNamesTheFormForQueries(call: String, form: String) async throws {
    let errors = try await errors(
      in: """
        import Foundation
        @Model struct Song {
          @PrimaryKey var id: Int
          var title: String
          var released: Date
          var recorded: Date?
        }
        let query = \(call)
        """)
    #expect(errors.count == 1, "\(errors)")
    #expect(errors.first?.contains(form) == true, "\(errors)")
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
