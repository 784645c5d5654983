extension Specimen {
  static let imports: [Specimen] = [
    Specimen(
      ImportRule(),
      [
        "Sources/Croft/Store.swift": """
        import CLMDB
        public import LMDB
        @_spi(_Unicode) import Swift
        """
      ], finds: "Sources/Croft/Store.swift:1"),
    Specimen(
      ImportRule(),
      [
        "Sources/Reactive/Observable.swift": """
        // import Foundation would be too much
        #if canImport(FoundationEssentials)
          package import CroftFoundation
        #else
          @preconcurrency public import class Foundation.NSObject
        #endif
        """
      ], finds: "Sources/Reactive/Observable.swift:3", "Sources/Reactive/Observable.swift:5"),
    Specimen(
      ImportRule(),
      [
        "Sources/CroftLibc/CroftLibc.swift": "public import Glibc",
        "Sources/LMDB/Clock.swift": """
        internal import CroftLibc
        #if canImport(Glibc)
          internal import Glibc
        #endif
        """,
      ], finds: "Sources/LMDB/Clock.swift:3"),
    Specimen(
      ImportRule(), ["Sources/Presentation/ViewModel.swift": "@testable import Croft"],
      finds: "Sources/Presentation/ViewModel.swift:1"),
    Specimen(
      ImportRule(),
      [
        "Sources/TodoKit/Models/TodoItem.swift": "public import Croft",
        "Sources/TodoKit/Repository/CroftTodoRepository.swift": "import Croft",
        "Sources/TodoKit/ViewModels/AddTaskViewModel.swift": "import Croft",
      ], finds: "Sources/TodoKit/ViewModels/AddTaskViewModel.swift:1"),
    Specimen(
      ImportRule(), ["Sources/TodoPrompt/Shell.swift": "import TodoKit; import LMDB"],
      finds: "Sources/TodoPrompt/Shell.swift:1"),
    Specimen(
      ImportRule(), ["Sources/Newcomer/Newcomer.swift": "import Synchronization"],
      finds: "Sources/Newcomer/Newcomer.swift:1"),
  ]

  static let calls: [Specimen] = [
    Specimen(
      CCallRule(),
      [
        "Sources/LMDB/C/Handles.swift": "mdb_env_close(pointer)",
        "Sources/LMDB/Environment.swift": """
        // The corresponding C function is mdb_env_close.
        if code == MDB_MAP_FULL { mdb_env_close(pointer) }
        """,
      ], finds: "Sources/LMDB/Environment.swift:2", "Sources/LMDB/Environment.swift:2"),
    Specimen(
      FileCallRule(),
      [
        "Sources/LMDB/C/FileCalls.swift": "if fsync(descriptor) != 0 { return errno }",
        "Sources/LMDB/Files/DataFile.swift": """
        // The corresponding C function is fsync.
        guard unsafe open(path, O_RDWR) >= 0 else { throw LMDBError(.open, errno, path) }
        """,
      ], finds: "Sources/LMDB/Files/DataFile.swift:2"),
    Specimen(
      StoreAccessRule(),
      [
        "Sources/TodoKit/Repository/Rows.swift": "let store: Store; Item.where { $0.isDone }",
        "Sources/TodoKit/Models/Item.swift": """
        func done(in store: Store) throws {
          try store.fetch(Item.where { $0.isDone })
        }
        extension Array where Element == Item {}
        let text = "Store"
        """,
      ], finds: "Sources/TodoKit/Models/Item.swift:1", "Sources/TodoKit/Models/Item.swift:2"),
  ]

  static let words: [Specimen] = [
    Specimen(
      WordRule(),
      [
        "Sources/Croft/Store.swift": """
        let row = try! read()
        let text = row as! String
        fatalError("no row")
        print(text)
        // print(text), try! and fatalError( in a comment harm nobody
        let message = "print(\\(text as! Any))"
        fingerprint(text); try? read(); text as? Int
        """
      ], finds: "Sources/Croft/Store.swift:1", "Sources/Croft/Store.swift:2",
      "Sources/Croft/Store.swift:3", "Sources/Croft/Store.swift:4", "Sources/Croft/Store.swift:6"),
    Specimen(WordRule(), ["Sources/TodoPrompt/Shell.swift": "print(line)"]),
    Specimen(
      WordRule(),
      [
        "Sources/Croft/Row.swift": "// TODO: faster\n/// FIXME",
        "Tests/CroftTests/RowTests.swift": "import XCTest\nThread.sleep(forTimeInterval: 1)",
      ], finds: "Sources/Croft/Row.swift:1", "Sources/Croft/Row.swift:2",
      "Tests/CroftTests/RowTests.swift:1", "Tests/CroftTests/RowTests.swift:2"),
    Specimen(
      WordRule(), ["Tests/CroftTests/RowTests.swift": "@Test(.disabled(\"flaky\")) func f() {}"],
      finds: "Tests/CroftTests/RowTests.swift:1"),
  ]

  static let houseWords: [Specimen] = [
    Specimen(
      HouseWordRule(),
      [
        "README.md": "Each door has a `seat`.",
        "Sources/Croft/Store.swift": """
        let doorCount = "a seat"  // The row lies here.
        let idle = TheDOORIsOpen + indoors + believe
        // Here x stands for a value, and a value stands there.
        /// Whoever settles it.
        """,
        "Sources/Croft/Croft.docc/Croft.md": "Rows are struck off: `RowTests.rowsStand`.",
        "Sources/LMDB/Environment.swift": "struct Seat {}",
        "Tests/CroftTests/DoorTests.swift": "struct Door {}",
        "Benchmarks/README.md": "A door.",
      ], finds: "Sources/Croft/Store.swift:1", "Sources/Croft/Store.swift:1",
      "Sources/Croft/Store.swift:3", "Sources/Croft/Store.swift:4",
      "Sources/Croft/Store.swift:4", "Sources/LMDB/Environment.swift:1", "README.md:1",
      "README.md:1",
      "Sources/Croft/Croft.docc/Croft.md:1"),
    Specimen(
      ProseRule(),
      [
        "Sources/TodoScreens/Screen.swift": """
        /// A key is behind `the cut`.
        /// - What is read
        ///   by a query is kept; it says what is read and what it is.
        let text = "The \\(behind) is as it was."  // As it was typed, behind a row.
        /// ```
        /// Who is slow gets it.
        /// ```
        func f() {}  // Who is slow gets it. Who is it?
        let note = #"A foreign key, a power cut, a sign that stands for it, a foreign file"#
        """,
        "README.md": """
        | The file that is no store | goes on to the next |
        This is no longer so, and a writer
        goes on. It is [of another](behind.md) kind, for who asks.
        ```
        behind
        ```
        """,
        "Other/Row.swift": "// A row behind another.",
      ], finds: "README.md:1", "README.md:3", "README.md:3",
      "Sources/TodoScreens/Screen.swift:1", "Sources/TodoScreens/Screen.swift:2",
      "Sources/TodoScreens/Screen.swift:4", "Sources/TodoScreens/Screen.swift:4",
      "Sources/TodoScreens/Screen.swift:8", "Sources/TodoScreens/Screen.swift:9"),
  ]

  static let names: [Specimen] = [
    Specimen(
      NameRule(),
      [
        "Sources/LMDB/KeyUtils.swift": "",
        "Sources/LMDB/Helpers/Key.swift": "enum KeyHelper {}\nstruct Key: Hashable {}",
        "Sources/LMDB/Database.swift":
          "struct LMDB {}\nstruct Database {}\n_ = FileManager.default",
        "Tests/LMDBTests/Key Tests.swift": "",
      ], finds: "Sources/LMDB/Helpers", "Sources/LMDB/KeyUtils.swift",
      "Tests/LMDBTests/Key Tests.swift", "Sources/LMDB/Database.swift:1",
      "Sources/LMDB/Helpers/Key.swift:1")
  ]

  static let reasons: [Specimen] = [
    Specimen(
      ReasonRule(),
      [
        "Sources/Croft/Store.swift": """
        let bare = try? read("https://example.org")


        let known = try? read("https://example.org")  // A missing header reads as none.



        final class Bare: @unchecked Sendable {


        // The gate is held whenever `state` is touched.
        final class Known: @unchecked Sendable {
        """
      ], finds: "Sources/Croft/Store.swift:1", "Sources/Croft/Store.swift:8"),
    Specimen(
      SafetyRule(),
      [
        "Sources/LMDB/Bare.swift": "let count = 1\nlet first = unsafe pointer[0]",
        "Sources/LMDB/Known.swift": "// Safety: one byte.\nlet first = unsafe pointer[0]",
        "Sources/LMDB/Named.swift": "options.durability = .unsafe\nnonisolated(unsafe) var a = 1",
      ], finds: "Sources/LMDB/Bare.swift:2"),
  ]

  static let documentation: [Specimen] = [
    Specimen(
      DocumentationRule(),
      [
        "Sources/Croft/Store.swift": """
        public import LMDB

        /// A store.
        ///
        /// More about it.
        @available(macOS 15, *)
        @attached(
          member, names: named(x))
        public final class Store {
          public init() {}
          var inner = 1
          package private(set) var count = 0
          @inlinable public static func open() {}
          /// Of this file only.
          private func close() {}
        }
        extension Store {
          public func read() {
            switch self { case let package: package.go() }
          }
        }
        """
      ], finds: "Sources/Croft/Store.swift:10", "Sources/Croft/Store.swift:12",
      "Sources/Croft/Store.swift:13", "Sources/Croft/Store.swift:18"),
    Specimen(
      DocumentationRule(),
      [
        "Sources/Croft/Mode.swift": """
        /// A mode.
        public enum Mode:
          Int
        {
          /// The first.
          case first
          case second, third
          /// Its text.
          public var text: String {
            switch self {
            case .first: "1"
            default: "2"
            }
          }
        }
        /// What opens.
        package protocol Opening {
          associatedtype Key
          /// Opens.
          func open()
          static func close()
        }
        enum Inner { case one }
        """
      ], finds: "Sources/Croft/Mode.swift:7", "Sources/Croft/Mode.swift:18",
      "Sources/Croft/Mode.swift:21"),
    Specimen(
      DocumentationRule(),
      [
        "Sources/Croft/Summary.swift": """
        /// no capital letter.
        public var a: Int { 1 }
        /// No full stop
        public var b: Int { 1 }
        /// A sentence that goes on for longer than anybody who only wants to know what this is
        /// about would care to read.
        public var c: Int { 1 }
        /// A sentence that takes two lines, because the line before it was too short
        /// for it.
        ///
        /// - Returns: something
        public var d: Int { 1 }
        """
      ], finds: "Sources/Croft/Summary.swift:1", "Sources/Croft/Summary.swift:3",
      "Sources/Croft/Summary.swift:5"),
  ]
}
