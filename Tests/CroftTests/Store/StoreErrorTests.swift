import Foundation
import Testing

@testable import Croft

@Suite struct StoreErrorTests {
  static let errors: [(StoreError, words: [String])] = [
    (.duplicateKey(model: "Song", fields: ["id"], key: "7"), ["Song", "7", "upsert"]),
    (
      .keyTooLong(model: "Song", field: "name", bytes: 201), ["Song.name", "201", "200", "shorter"]
    ),
    (
      .objectTooLarge(model: "Song", key: "7", bytes: 5_000_000_000),
      ["Song 7", "5000000000", "4294967291", "several objects"]
    ),
    (.primaryKeyChanged(model: "Song", key: "7"), ["Song", "7", "Delete"]),
    (
      .staleObject(model: "Song", fields: ["title"], key: "7"),
      ["Song", "7", "changed", "title", "Read it again"]
    ),
    (.staleObject(model: "Song", fields: [], key: "7"), ["Song", "7", "deleted"]),
    (.unknownModel(model: "Song"), ["Song", "Store.open"]),
    (.invalidModel(model: "Song", reason: "r"), ["Song", "cannot be stored", "r"]),
    (.conditionTooDeep(model: "Song"), ["Song", "80 deep", "side by side"]),
    (.expressionTooDeep(model: "Song"), ["Song", "40 deep", "Store a part"]),
    (.searchTooLong(model: "Song"), ["Song", "64 terms", "quotation marks"]),
    (.relevanceWithoutSearch(model: "Song"), ["Song", "without a search", "matches"]),
    (
      .notACroftFile(path: "a.txt", reason: "r"),
      ["a.txt", "not a Croft file", "r", "another path"]
    ),
    (.newerFormat(path: "a.croft", version: 9), ["a.croft", "9", "Update"]),
    (
      .unsupportedFeatures(path: "a.croft", features: ["journal", "replication"]),
      ["a.croft", "journal, replication", "update"]
    ),
    (.schemaMismatch(model: "Song", field: "plays", reason: "r"), ["Song.plays", "r"]),
    (.schemaMismatch(model: "Song", field: nil, reason: "r"), ["Song does", "r"]),
    (.cannotOpen(path: "a.croft", reason: "r"), ["a.croft", "r"]),
    (
      .fileReplaced(path: "a.croft", reason: "r"),
      ["a.croft", "was replaced or removed", "r", "open it again"]
    ),
    (.tooManyTrees(reason: "r"), ["r", "16,384", "with all its models"]),
    (.cannotWrite(path: "b.croft", reason: "r"), ["b.croft", "r"]),
    (.notCodable(key: "theme", reason: "r"), ["theme", "r", "Nothing was changed"]),
    (.busy(reason: "r"), ["busy", "r", "Try again"]),
    (.nestedWrite, ["thread", "its own transaction"]),
    (.readOnly, ["isReadOnly"]),
    (.mapFull(reason: "r"), ["did not fit", "r", "again"]),
    (.readersFull(reason: "r"), ["r", "maxReaders"]),
    (.corrupt(model: "Song", key: "7", reason: "r"), ["Song 7", "r", "copy"]),
    (.transactionFailed(reason: "r"), ["changes nothing", "r", "begin another"]),
    (.system(reason: "r", code: 5), ["r"]),
  ]

  @Test(arguments: errors)
  func aDescriptionNamesWhatItIsAboutAndWhatToDo(error: StoreError, words: [String]) {
    for word in words {
      #expect(error.description.localizedCaseInsensitiveContains(word), "\(error)")
    }
    #expect(error.description.hasSuffix("."))
    #expect((error as any Error).localizedDescription == error.description)
  }

  @Test func onlyWhatMayPassByItselfIsRetryable() {
    let retryable = Self.errors.map(\.0).filter(\.isRetryable)
    #expect(
      retryable == [.busy(reason: "r"), .mapFull(reason: "r"), .readersFull(reason: "r")])
  }

  // A title of a window, the screen, or a turned direction of writing could be set by anybody who chose a
  // key, a file's name or what a file says its models are called.
  @Test func noDescriptionDrivesATerminal() throws {
    let hostile = "\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}\r\na\t"
    let harmless = "\\u{1b}]0;owned\\u{7}\\u{9b}2J\\u{202e}\\u{d}\\na\\t"
    for error: StoreError in [
      .duplicateKey(model: hostile, fields: ["id"], key: "7"),
      .duplicateKey(model: "Song", fields: ["id"], key: hostile),
      .schemaMismatch(model: "Song", field: hostile, reason: hostile),
      .cannotOpen(path: hostile, reason: "r"), .corrupt(model: nil, key: nil, reason: hostile),
      .system(reason: hostile, code: 5),
    ] {
      #expect(error.description.contains(harmless))
      #expect(Self.isHarmless(error.description))
      #expect(Self.isHarmless((error as any Error).localizedDescription))
    }
    let diagnostic = StoreDiagnostic.oldSnapshot(name: hostile, age: .zero, pinnedBytes: nil)
    #expect(diagnostic.description.contains(harmless) && Self.isHarmless(diagnostic.description))
    let failure = StorageFailure(operation: .save, key: hostile, error: .readOnly)
    #expect(failure.description.contains(harmless) && Self.isHarmless(failure.description))
    let missing = URL(filePath: "/nowhere/\(hostile)")
    let error = StoreError.thrown { _ = try Store.open(at: missing, models: Song.self) }
    #expect(error.map { Self.isHarmless($0.description) } == true)
    // Other languages and signs stay as they are.
    #expect(StoreError.unknownModel(model: "할 일 👩🏽‍🚀 é").description.contains("할 일 👩🏽‍🚀 é"))
  }

  @Test func noProblemOfAVerificationDrivesATerminal() throws {
    try withStore(of: Song.self) { store in
      var verification = try store.verify()
      verification.report("an entry of \u{1B}[2J")
      #expect(verification.problems == ["an entry of \\u{1b}[2J"])
    }
  }

  private static func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && !("\u{202A}"..."\u{202E}").contains($0)
    }
  }
}
