import Croft
import Foundation
import Testing

@Suite struct StoreErrorTests {
  static let errors: [(StoreError, words: [String])] = [
    (.duplicateKey(model: "Song", key: "7"), ["Song", "7", "upsert"]),
    (
      .keyTooLong(model: "Song", field: "name", bytes: 201), ["Song.name", "201", "200", "shorter"]
    ),
    (.primaryKeyChanged(model: "Song", key: "7"), ["Song", "7", "Delete"]),
    (.unknownModel(model: "Song"), ["Song", "Store.open"]),
    (.conditionTooDeep(model: "Song"), ["Song", "80 deep", "side by side"]),
    (.notACroftFile(path: "a.txt", reason: "r"), ["a.txt", "no Croft file", "r", "another path"]),
    (.newerFormat(path: "a.croft", version: 9), ["a.croft", "9", "Update"]),
    (.schemaMismatch(model: "Song", field: "plays", reason: "r"), ["Song.plays", "r"]),
    (.schemaMismatch(model: "Song", field: nil, reason: "r"), ["Song does", "r"]),
    (.cannotOpen(path: "a.croft", reason: "r"), ["a.croft", "r"]),
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
}
