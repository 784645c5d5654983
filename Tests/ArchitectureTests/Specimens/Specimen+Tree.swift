extension Specimen {
  static let prose: [Specimen] = [
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
        "Tests/CroftTests/StoreTests.swift": "struct StoreTests {\n  @Test func lasts() {}\n}",
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
        "Tests/CroftTests/Articles/QueriesSnippets.swift": """
            let all = Song.all
            let none = Song.where {
              true
            }
        let some = 1
        """,
        "Tests/LMDBTests/OtherTests.swift": "let none = Song.where {\n  false\n}",
      ], finds: "Sources/Croft/Croft.docc/Queries.md:4"),
    Specimen(
      ForeignPlaceRule(),
      [
        "README.md": """
        As /srv/project says, and "/home/somebody/x".
        Read /etc/hostname, https://example.org/home/page, and/or a / b.
        """,
        "Sources/LMDB/Environment.swift": """
        // See LAYOUT.md and README.md.
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
        "README.md": "`Croft` and\n| `LMDB` | bytes |",
        "Sources/LMDB/Environment.swift": "",
        "Sources/Croft/Store.swift": "",
      ], finds: "Sources/Croft"),
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
        "Sources/LMDB/Internals/Threshold.swift": "case .rowsPerBlock: (2, 256)",
        "Sources/Reactive/Buffer.swift": "let size = 16",
      ], finds: "Sources/Croft/Indexes/IndexRebuild.swift:1",
      "Sources/Croft/Indexes/IndexRebuild.swift:4", "Sources/Croft/Store/Verification.swift"),
    Specimen(
      TopLevelRule(), ["README.md": "", "notes/a.md": "", "out.log": ""],
      finds: "notes", "out.log"),
  ]
}
