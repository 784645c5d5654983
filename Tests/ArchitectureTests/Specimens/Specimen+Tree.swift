extension Specimen {
  static let prose: [Specimen] = [
    Specimen(
      PublicAPIRule(),
      [
        "Sources/Croft/Croft.docc/APIAtAGlance.md": PublicAPIRule.page(
          of: Project([publicTypes.path: publicTypes.text])),
        publicTypes.path: publicTypes.text,
      ]),
    Specimen(
      PublicAPIRule(),
      [
        "Sources/Croft/Croft.docc/APIAtAGlance.md": PublicAPIRule.page(
          of: Project([publicTypes.path: publicTypes.text])),
        publicTypes.path: publicTypes.text + """
          extension Store {
            public func close() {}
          }

          """,
      ], finds: "Sources/Croft/Croft.docc/APIAtAGlance.md:3"),
    Specimen(
      ParticleRule(),
      [
        "Sources/TodoFormats/KoreanParticle.swift": "case .topic: (\"은\", \"는\", \"은(는)\")",
        "Sources/TodoFormats/IssueText.swift": """
        // 은 or 는
        "중요도 \\(text)을(를) 알 수 없습니다."
        """,
        "Tests/TodoFormatsTests/IssueTextTests.swift": "\"milk은(는)\"",
      ], finds: "Sources/TodoFormats/IssueText.swift:2"),
    Specimen(
      PathRule(),
      [
        "README.md": """
        Run `Scripts/todo --db x`, read Sources/LMDB/Environment.swift.
        See [the rules](Tests/Gone.swift), [the site](https://example.org/a), [below](#below).
        `Scripts/gone` and Sources/*/Anything.
        """,
        "Scripts/todo": "",
        "Sources/LMDB/Environment.swift": "",
        "Benchmarks/README.md": "Sources/bench, Sources/LMDB and Benchmarks/Sources/bench",
        "Benchmarks/Sources/bench/Entry.swift": "",
      ], finds: "README.md:2", "README.md:2", "README.md:3"),
    Specimen(
      PathRule(),
      [
        "Sources/LMDB/LMDB.docc/LMDB.md":
          "<doc:Growth>, <doc:Gone>, [page](Growth.md), [no](No.md)",
        "Sources/LMDB/LMDB.docc/Growth.md": "",
        "Sources/Croft/Croft.docc/Gone.md": "",
      ], finds: "Sources/LMDB/LMDB.docc/LMDB.md:1", "Sources/LMDB/LMDB.docc/LMDB.md:1"),
    Specimen(
      RequirementRule(
        counts: ["S000": 6, "S001": 1, "T": 2], withoutLibrary: ["S000-02"],
        withoutPrompt: ["S000-03"]),
      [
        "Sources/TodoKit/TodoKit.docc/Requirements.md": """
        | Number | Requirement | Library | Prompt |
        |---|---|---|---|
        | S000-01 | add | `ItemTests.adds`, `ItemTests.helper` | `adding` |
        | S000-02 | draw | - | `adding`, `gone` |
        | S000-03 | keep | open | - |
        | S000-04 | find | - | open |
        | S000-04 | find | open | |
        | S000-05 | sort | nothing | `ItemTests.gone` |
        | S001 | old | `ItemTests.adds` | open |
        | T1 | lost | `ItemTests.t1Lost` | - |
        | T2 | lost | `ItemTests.t20Lost` | - |
        """,
        "Tests/TodoPromptTests/Golden/adding.txt": "",
        "Tests/TodoKitTests/ItemTests.swift": """
        struct ItemTests {
          @Test func adds() {}
          @Test(arguments: 1...2) func t1Lost(number: Int) {}
          @Test func t20Lost() {}
          private func helper() {}
        }
        """,
      ], finds: RequirementRule.page, RequirementRule.page, "\(RequirementRule.page):3",
      "\(RequirementRule.page):4", "\(RequirementRule.page):6", "\(RequirementRule.page):7",
      "\(RequirementRule.page):8", "\(RequirementRule.page):8", "\(RequirementRule.page):11"),
    Specimen(
      ErrorPageRule(),
      [
        "Sources/Croft/Store/StoreError.swift": """
        public enum StoreError: Error {
          case busy(reason: String)
          case readOnly
          case mapFull(reason: String)
          var isRetryable: Bool {
            switch self {
            case .busy: true
            }
          }
        }
        """,
        "Sources/Croft/Croft.docc/WhenSomethingGoesWrong.md":
          "``StoreError/busy(reason:)``, ``StoreError/readOnly``, mapFull",
      ], finds: "Sources/Croft/Store/StoreError.swift:4"),
    Specimen(
      PromiseRule(),
      [
        "Sources/Croft/Croft.docc/Promises.md": """
        1. A commit lasts. Shown by `StoreTests.lasts` and
           `StoreTests.isGone`.
        2. Nobody shows this.

        Of other pages nothing is asked: 3. not an item.
        3. Shown by nothing that is named.
        4. A read sees one commit. Shown by `ReadTests.seesOne`.
        """,
        "Sources/Croft/Croft.docc/Queries.md": "1. No promise.",
        "Tests/CroftTests/StoreTests.swift":
          "struct StoreTests {\n  @Test func lasts() {}\n  func isGone() {}\n}",
        "Tests/CroftTests/ReadTests.swift": "extension ReadTests {\n  @Test func seesOne() {}\n}",
        "Sources/Croft/Store.swift": "struct StoreTests { func isGone() {} }",
      ], finds: "Sources/Croft/Croft.docc/Promises.md:1", "Sources/Croft/Croft.docc/Promises.md:3",
      "Sources/Croft/Croft.docc/Promises.md:6"),
    Specimen(
      SnippetRule(),
      [
        "Sources/Croft/Croft.docc/Queries.md": """
        ```swift
        let all = Song.all

        let none = Song.where {
          false
        }
        ```
           ```swift
           let some = 1
           ```
        ```
        let text = "of no language"
        ```
        """,
        "Sources/Reactive/Reactive.docc/Reactive.md": "```swift\nlet a = 1\n```",
        "Web/Sources/TodoWeb/TodoWeb.docc/Pages.md": "```swift\nlet page = 1\nlet other = 2\n```",
        "Web/Tests/TodoWebTests/PagesTests.swift": "let page = 1\n",
        "Tests/CroftTests/Articles/QueriesSnippets.swift": """
            let all = Song.all
            let none = Song.where {
              true
            }
        let some = 1
        """,
        "Tests/LMDBTests/OtherTests.swift": "let none = Song.where {\n  false\n}",
      ], finds: "Sources/Croft/Croft.docc/Queries.md:4",
      "Web/Sources/TodoWeb/TodoWeb.docc/Pages.md:2"),
    Specimen(
      ArticleIndexRule(),
      [
        "Sources/Croft/Croft.docc/AllArticles.md":
          "| find | <doc:Queries>, [laws](../../Reactive/Reactive.docc/Laws.md) |",
        "Sources/Croft/Croft.docc/Croft.md": "",
        "Sources/Croft/Croft.docc/Queries.md": "",
        "Sources/Croft/Croft.docc/Models.md": "",
        "Sources/Reactive/Reactive.docc/Laws.md": "",
        "Sources/Reactive/Reactive.docc/Delivery.md": "",
        "README.md": "",
      ], finds: "Sources/Croft/Croft.docc/Models.md",
      "Sources/Reactive/Reactive.docc/Delivery.md"),
    Specimen(
      ForeignPlaceRule(),
      [
        "README.md": """
        As /srv/project says, and "/home/somebody/x".
        Read /etc/hostname, https://example.org/home/page, and/or a / b.
        """,
        "Sources/LMDB/Environment.swift": """
        // See LAYOUT.md and README.md, and HowToReadJSON.md.
        // Mended for issue 12.
        // See (#7).
        let path = "/srv/data"  // as in /srv/data
        // The defect ITS#8722, U+0000, colour "#123", apple/swift#7, an issue of 3 kinds
        """,
        "Scripts/todo": "cd /srv/data\necho /usr/bin /tmp",
      ], finds: "README.md:1", "Scripts/todo:1", "Sources/LMDB/Environment.swift:1",
      "Sources/LMDB/Environment.swift:2", "Sources/LMDB/Environment.swift:3",
      "Sources/LMDB/Environment.swift:4"),
    Specimen(
      DependencyRule(),
      [
        "Package.swift": """
        .package(url: "https://example.org/swiftlang/swift-syntax", from: "1.0.0"),
        .package(url: "https://example.org/apple/swift-log.git", from: "1.0.0"),
        .package(url: "https://example.org/groue/GRDB.swift", from: "1.0.0"),
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb"), .linkedLibrary("edit")
        """,
        "Benchmarks/Package.swift": """
        .package(name: "croft", path: ".."),
        .package(url: "https://example.org/groue/GRDB.swift", from: "1.0.0"),
        """,
        "README.md":
          "swift-log\n| swift-syntax | macros |\n| liblmdb | store |\n| GRDB.swift | peer |",
      ], finds: "Package.swift:2", "Package.swift:3", "Package.swift:4"),
  ]

  static let tree: [Specimen] = [
    Specimen(
      FileNameRule(),
      [
        "Sources/Croft/SortKeys.swift": """
        struct SortKey {}
        struct Merging {}
        public final class SortedRows<Row>:
          Sequence
        {
          struct Nested {}
        }
        enum KeyCode {}
        private struct Private {}
        @usableFromInline struct IDList: Identified {}
        class Tail: SortedRows<Int> {}
        extension Row {
          struct Part {}
          private struct Own {}
        }
        extension SortKey {
          enum Order {}
        }
        """,
        "Sources/Croft/Merge.swift": "struct Merging {}\nprotocol Emerging {}",
        "Sources/Croft/Mended.swift": "struct Mended {}",
        "Tests/CroftTests/RowTests.swift": "struct Other {}",
      ], finds: "Sources/Croft/Merge.swift:2", "Sources/Croft/SortKeys.swift:2",
      "Sources/Croft/SortKeys.swift:10", "Sources/Croft/SortKeys.swift:13"),
    Specimen(
      ExtensionPlaceRule(),
      [
        "Sources/Croft/Keys/Key.swift": "public struct Key {}",
        "Sources/Croft/Keys/Key+Order.swift": "extension Key: Comparable {}",
        "Sources/Croft/Keys/Text/Key+Text.swift": "extension Key.Part {}",
        "Sources/Croft/Keys/Key+Numbers.swift": "extension Int: Key {}",
        "Sources/Croft/Keys/Key+Rows.swift": "struct Row {}\nextension Row {}",
        "Sources/Croft/Rows/Key+Rows.swift": "extension Key {}",
        "Sources/Croft/Rows/Array+Key.swift": "extension [Key] {}",
        "Sources/Reactive/Key+Order.swift": "extension Key {}",
      ], finds: "Sources/Croft/Keys/Key+Rows.swift", "Sources/Croft/Rows/Key+Rows.swift"),
    Specimen(
      CatalogRule(),
      [
        "Sources/LMDB/Environment.swift": "",
        "Sources/LMDB/LMDB.docc/LMDB.md": "",
        "Sources/Croft/Store.swift": "",
        "Sources/Croft/Croft.docc/Keys.md": "",
        "Sources/CLMDB/shim.h": "",
        "Sources/todo/main.swift": "",
      ], finds: "Sources/Croft/Croft.docc/Croft.md"),
    Specimen(
      ModuleMapRule(),
      [
        "Sources/Croft/Croft.docc/Architecture.md": "`Croft` and\n| `LMDB` | bytes |",
        "Sources/LMDB/Environment.swift": "",
        "Sources/Croft/Store.swift": "",
      ], finds: "Sources/Croft"),
    Specimen(
      ModuleMapRule(),
      [
        "Sources/Croft/Croft.docc/Architecture.md": """
        ```swift
        let arrow: (Int) -> Int
        ```
        | `LMDB`, `CLMDB`, `Croft`, `CroftMacros`, `todo` |
        ```
        todo -> Croft -> LMDB, Other
                         LMDB -> CLMDB
                         Croft -> CroftMacros (when compiling)
        ```
        """,
        "Package.swift": """
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb"),
        .target(name: "LMDB", dependencies: ["CLMDB"]),
        .macro(name: "CroftMacros", dependencies: [.product(name: "A", package: "a")]),
        .target(name: "Croft", dependencies: ["LMDB", "CroftMacros", "CHelper"]),
        .executableTarget(
          name: "todo",
          dependencies: [
            "Croft", .product(name: "A", package: "a"), "LMDB",
          ]),
        .testTarget(name: "CroftTests", dependencies: ["Reactive"]),
        """,
        "Sources/CLMDB/shim.h": "",
        "Sources/LMDB/Environment.swift": "import CLMDB\nimport Croft",
        "Sources/Croft/Store.swift": "import LMDB\nimport Foundation",
        "Sources/CroftMacros/Plugin.swift": "",
        "Sources/todo/main.swift": "import Croft",
      ], finds: "Sources/Croft/Croft.docc/Architecture.md:6",
      "Sources/Croft/Croft.docc/Architecture.md",
      "Package.swift", "Sources/LMDB/Environment.swift:2", "Package.swift"),
    Specimen(
      OperatorTestRule(),
      [
        "Sources/Reactive/Operators/Map.swift": "",
        "Sources/Reactive/Operators/Filter.swift": "",
        "Sources/Reactive/Event.swift": "",
        "Tests/ReactiveTests/Operators/MapTests.swift": "",
        "Tests/CroftTests/FilterTests.swift": "",
      ], finds: "Sources/Reactive/Operators/Filter.swift"),
    Specimen(
      FileSizeRule(),
      [
        "Sources/Croft/Store.swift": String(repeating: "\n", count: FileSizeRule.mostLines + 1),
        "Sources/Croft/Row.swift": String(repeating: "\n", count: FileSizeRule.mostLines),
        "LICENSE": String(repeating: "\n", count: FileSizeRule.mostLines + 1),
      ], finds: "Sources/Croft/Store.swift:601"),
    Specimen(
      ThresholdRule(),
      [
        "Sources/Croft/Indexes/IndexRebuild.swift": """
        private static let fewest = 1_024
        private static var most: Int { Threshold.rowsPerBatch.value }
        let half = count / 2
        if keys.count > 3 { rebuild($0, x.15) }  // 99
        """,
        "Sources/Croft/Store/Verification.swift": "let most = count",
        "Sources/Croft/Tables/PendingRows.swift": "let room = 1024",
        "Sources/LMDB/Testing/Threshold.swift": "case .rowsPerBlock: (2, 256)",
        "Sources/Reactive/Buffer.swift": "let size = 16",
      ], finds: "Sources/Croft/Indexes/IndexRebuild.swift:1",
      "Sources/Croft/Indexes/IndexRebuild.swift:4", "Sources/Croft/Store/Verification.swift"),
    Specimen(
      TopLevelRule(), ["README.md": "", "notes/a.md": "", "out.log": ""],
      finds: "notes", "out.log"),
  ]
}

extension Specimen {
  /// A public type with one member of its own that is public.
  private static let publicTypes = (
    path: "Sources/Croft/Store/Store.swift",
    text: """
    /// A store.
    ///
    /// It keeps objects.
    public final class Store {
      public func read() {}
      func write() {}
    }

    """
  )
}
