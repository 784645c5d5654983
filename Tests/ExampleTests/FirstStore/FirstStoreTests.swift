import Croft
import Foundation
import Testing

/// The tutorial: its files are compiled as they are on the page, and its functions are run.
@Suite("Your first store", .serialized)
struct FirstStoreTests {
  /// The model before it has a goal.
  enum Before {
    @Model struct Habit: Equatable {
      @PrimaryKey var id: UUID = .timeOrdered()
      @Indexed(.unique) var name: String
      var days = 0
    }
  }

  private static let root = (0..<4).reduce(URL(filePath: #filePath).resolvingSymlinksInPath()) {
    url, _ in url.deletingLastPathComponent()
  }

  /// The blocks of Swift of the page, in order.
  private func blocks() throws -> [String] {
    let page = Self.root.appending(path: "Sources/Croft/Croft.docc/YourFirstStore.md")
    return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```swift\n")
      .dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  private func withFolder<R>(_ body: (URL) async throws -> R) async throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-first-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer {
      // A folder that cannot be removed is litter and no failure of the test.
      try? FileManager.default.removeItem(at: folder)
    }
    return try await body(folder)
  }

  @Test func theStepsFromInsertingToDeletingGiveWhatThePageSays() throws {
    let store = try Store.inMemory(models: Habit.self)
    try addHabits(["Read", "Run"], to: store)
    try practise("Read", in: store)
    let answer = try report(store)
    #expect(answer == #"["Read"], 1 days in all"#)
    let page = Self.root.appending(path: "Sources/Croft/Croft.docc/YourFirstStore.md")
    #expect(try String(contentsOf: page, encoding: .utf8).contains("`report` returns `\(answer)`"))
    try stop("Run", in: store)
    #expect(try store.fetch(Habit.all).map(\.name) == ["Read"])
  }

  @Test func theChangedModelReadsOldHabitsWithTheGoalOfThePage() async throws {
    try await withFolder { folder in
      let file = folder.appending(path: "habits.croft")
      do {
        let store = try Store.open(at: file, models: Before.Habit.self)
        try store.write { tx in try tx.insert(Before.Habit(name: "Read", days: 3)) }
      }
      let habits = try openStore(at: file).fetch(Habit.all)
      #expect(habits.map(\.name) == ["Read"])
      #expect(habits.map(\.days) == [3])
      #expect(habits.map(\.goal) == [7])
    }
  }

  /// The program as a reader who copies the page has it, `main.swift` included.
  @Test func theFilesOfThePageCompileTogether() async throws {
    let blocks = try blocks()
    let model = try #require(blocks.first { $0.contains("goal = 7") })
    let names = [
      "Habit.swift": "import Croft\nimport Foundation\n\n" + model,
      "Storage.swift": storage(of: blocks),
      "HabitForm.swift": try #require(blocks.first { $0.contains("func habitForm") }),
      "HabitScreen.swift": try #require(blocks.first { $0.contains("func habitScreen") }),
      "main.swift": try #require(blocks.first { $0.contains("RunLoop") }),
    ]
    let errors = try await withFolder { folder in
      for (name, code) in names {
        try code.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
      }
      return try await Compiler.run(
        ["-typecheck", "-module-name", "habits"]
          + names.keys.sorted().map { folder.appending(path: $0).path },
        root: Self.root)
    }
    #expect(errors.isEmpty, "\(errors)")
  }

  /// SwiftPM reads the manifest of the page, which depends on no more than that it can be parsed.
  @Test func theManifestOfThePageIsOne() async throws {
    let manifest = try #require(try blocks().first { $0.contains("PackageDescription") })
    let description = try await withFolder { folder in
      let file = folder.appending(path: "Package.swift")
      try manifest.write(to: file, atomically: true, encoding: .utf8)
      return try describe(packageAt: folder)
    }
    #expect(description.contains(#""name" : "habits""#))
    for product in ["Croft", "CroftPresentation", "CroftReactive", "Presentation", "Reactive"] {
      #expect(description.contains("\"\(product)\""))
    }
  }

  private func describe(packageAt folder: URL) throws -> String {
    let swift = Process()
    swift.executableURL = URL(filePath: "/usr/bin/env")
    swift.arguments = ["swift", "package", "--package-path", folder.path, "dump-package"]
    let pipe = Pipe()
    swift.standardOutput = pipe
    swift.standardError = FileHandle.nullDevice
    try swift.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    swift.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  /// The files beside this one, which are run here, hold what the page shows.
  @Test func thePageShowsTheFilesThatRunHere() throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    let blocks = try blocks()
    for name in ["HabitForm", "HabitScreen", "HabitTests"] {
      let code = try String(
        contentsOf: folder.appending(path: "\(name).swift"), encoding: .utf8)
      #expect(blocks.contains(code), "\(name)")
    }
    let file = folder.appending(path: "Storage.swift")
    #expect(storage(of: blocks) == (try String(contentsOf: file, encoding: .utf8)))
  }

  /// The file that steps 3 to 6 write piece by piece.
  private func storage(of blocks: [String]) -> String {
    let functions = ["func openStore", "func addHabits", "func report", "func practise"]
    return blocks.filter { block in functions.contains { block.contains($0) } }
      .joined(separator: "\n")
  }
}
