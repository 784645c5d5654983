import Foundation
import Testing

/// The code of doc comments and articles, compiled against the modules of this build.
@Suite("Examples of doc comments and articles", .serialized)
struct DocExampleTests {
  /// The modules, and what else their examples import.
  static let modules: [String: [String]] = [
    "Croft": [], "CroftMacros": ["Croft"], "LMDB": [],
    "Reactive": ["ReactiveTesting"],
    "ReactiveTesting": ["Reactive", "Testing"],
    "CroftReactive": ["Croft", "Reactive", "ReactiveTesting"],
    "Presentation": ["Reactive"],
    "CroftPresentation": ["Croft", "CroftReactive", "Presentation", "Reactive"],
    "CroftSync": ["Croft"],
    "TodoKit": ["Presentation", "Reactive"],
    "TodoScreens": ["TodoKit", "Presentation", "Reactive"],
    "TodoImages": ["TodoKit"], "TerminalText": [], "LineEditing": [],
  ]

  /// Files whose examples are not compiled here, each with the reason.
  static let exempt: [String: String] = [
    "Sources/Croft/Testing/ForcedPlan.swift": "for tests of the package, which alone can import it",
    "Sources/LMDB/Testing/FaultPlan.swift": "for tests of the package, which alone can import it",
    "Sources/Reactive/Delivery/Serializer.swift": "for operators of the module, inside it",
    "Sources/CroftMacros/CroftMacros.docc/CroftMacros.md": "a macro's expansion, beside its source",
  ]

  /// Modules whose articles are compiled as parts of tests, which a rule and a test hold them to.
  static let testedArticles = [
    "Croft", "CroftReactive", "LMDB", "Presentation", "TodoKit", "TodoScreens",
  ]

  /// The code around the statements of examples that are parts of something.
  static let frames: [String: String] = [
    "Croft/Live/API/ObjectChange.swift":
      "static func run(_ change: ObjectChange<TodoItem>) throws { BODY }",
    "Croft/Queries/Executor/QueryResults.swift":
      "static func run(_ tx: inout ReadTransaction, total: inout Int) throws { BODY }",
    "Croft/Relevance/RelevanceOrder.swift":
      """
    @Model struct Article {
      @PrimaryKey var id: Int
      var title: String
      var createdAt: Date
      #FullText<Article>([\\.title])
    }
    static func run() { BODY }
    """,
    "Croft/Schema/IndexDefinition.swift":
      "@Model struct Song { @PrimaryKey var id: Int; var artist: String; var plays: Int\nBODY }",
    "Croft/Schema/TextIndexRoot.swift":
      """
    @Embedded struct Author { var name: String }
    @Model struct Article {
      @PrimaryKey var id: Int
      var title: String
      var body: String?
      var author: Author
      var tags: [String]
      BODY
    }
    """,
    "Croft/Search/SearchableModel.swift":
      """
    @Model struct Article {
      @PrimaryKey var id: Int
      var title: String
      #FullText<Article>([\\.title])
    }
    static func run(_ store: Store) throws { BODY }
    """,
    "Croft/Transactions/ReadTransaction.swift":
      "static func run(_ tx: inout ReadTransaction, _ references: [Ref<TodoItem>]) throws { BODY }",
    "Croft/Transactions/ReadTransaction+Differences.swift":
      "static func run(_ old: Store, _ new: Store) throws { BODY }",
    "Croft/Transactions/WriteTransaction+Update.swift":
      "static func run(_ tx: inout WriteTransaction) throws { BODY }",
    "Croft/Transactions/WriteTransaction+Upsert.swift":
      "static func run(_ tx: inout WriteTransaction) throws { BODY }",
    "LMDB/Environment.swift":
      "static func run(_ key: RawSpan, _ value: RawSpan) throws { BODY }",
    "LMDB/LMDBError.swift":
      "static func run(_ key: RawSpan, _ value: RawSpan) throws { BODY }",
    "Presentation/Intents/Effect.swift":
      """
    static func reduce(_ state: inout SearchState, _ intent: SearchIntent)
      -> Effect<SearchIntent>
    {
      switch intent {
      case .found: return .none
      BODY
      }
    }
    """,
    "Reactive/Binding/Binder.swift":
      """
    @MainActor static func run(label: Label, isDone: Observable<Bool>, bag: DisposeBag) { BODY }
    """,
    "Reactive/Binding/Rx.swift":
      """
    @MainActor static func run(label: Label, titles: Observable<String>, bag: DisposeBag) { BODY }
    """,
    "Reactive/Reactive.docc/PublishingAndEvents.md":
      """
    @MainActor final class Screen {
      let model = ProfileModel()
      var label = ""
      func run() { BODY }
    }
    """,
    "Reactive/Reactive.docc/TasksAndModels.md":
      "@MainActor static func run() async throws { BODY }",
  ]

  /// The files in `Contexts` that have what the examples of a module leave out.
  private static func contexts(of module: String) -> [String] {
    switch module {
    case "Croft", "CroftReactive": ["Placeholder", "TodoModels", module]
    default: ["Placeholder", module]
    }
  }

  private static let root = (0..<3).reduce(URL(filePath: #filePath).resolvingSymlinksInPath()) {
    url, _ in url.deletingLastPathComponent()
  }

  @Test(arguments: modules.keys.sorted())
  func theExamplesOfAModuleCompile(module: String) async throws {
    let examples = try DocExample.all(of: module, in: Self.root).filter { example in
      let isTested = example.path.hasSuffix(".md") && Self.testedArticles.contains(module)
      return Self.exempt[example.path] == nil && !isTested
    }
    if examples.isEmpty { return }
    let imports = (["Dispatch", "Foundation", module] + (Self.modules[module] ?? []))
      .filter { $0 != "CroftMacros" }.map { "import \($0)\n" }.joined()
    let source = examples.enumerated().map { number, example in
      let frame = Self.frames[String(example.path.dropFirst("Sources/".count))]
      return example.source(
        number: number, frame: frame ?? "static func run() EFFECTS { BODY }")
    }.joined()
    let errors = try await compile(imports + source, in: module)
    #expect(errors.isEmpty, "\(errors)")
  }

  @Test func everyModuleWithExamplesIsCompiledAndEveryExemptionIsNeeded() throws {
    let sources = Self.root.appending(path: "Sources")
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    var paths: Set<String> = []
    for module in modules {
      let examples = try DocExample.all(of: module, in: Self.root)
      paths.formUnion(examples.map(\.path))
      #expect(examples.isEmpty || Self.modules[module] != nil, "\(module) has examples")
    }
    #expect(paths.isSuperset(of: Self.exempt.keys))
    #expect(paths.isSuperset(of: Self.frames.keys.map { "Sources/\($0)" }))
  }

  @Test func anErrorNamesTheLineOfTheComment() async throws {
    let block = DocExample.Block(
      line: 10, code: ["struct Wrong {", "  var id: Absent", "}", "", "print(absent)"])
    let example = DocExample(path: "Sources/Croft/X.swift", blocks: [block])
    let output = try await compile(
      example.source(number: 0, frame: "static func run() { BODY }"), in: "Reactive")
    #expect(output.contains("Sources/Croft/X.swift:12:"))
    #expect(output.contains("Sources/Croft/X.swift:15:"))
  }

  /// The errors of a source beside the context of a module.
  private func compile(_ source: String, in module: String) async throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-examples-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer {
      // A folder that cannot be removed is litter and no failure of the test.
      try? FileManager.default.removeItem(at: folder)
    }
    let file = folder.appending(path: "Examples.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    let contexts = Self.root.appending(path: "Tests/ExampleTests/Contexts")
    let files = Self.contexts(of: module).map { contexts.appending(path: "\($0).swift").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
    return try await Compiler.run(
      ["-typecheck", "-suppress-warnings", "-module-name", "Examples", file.path] + files,
      root: Self.root)
  }
}
