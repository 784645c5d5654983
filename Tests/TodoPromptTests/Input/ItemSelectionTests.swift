import Foundation
import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct ItemSelectionTests {
  private let repository = KnownRepository()
  private let ids = (1...4).map(KnownRepository.id)

  init() throws {
    for title in ["one", "two", "three", "four"] {
      try repository.perform(.add(TodoItem(title: title, priority: .high)))
    }
  }

  private func titles(_ words: [String], listed: [UUID]? = nil) throws -> [String] {
    let selection = ItemSelection(listed: ListedItems(listed ?? ids), repository: repository) { _ in
      []
    }
    return try selection.resolve(words).map(\.item.title)
  }

  private func refusal(_ words: [String], listed: [UUID]? = nil) -> String? {
    let problem = #expect(throws: CommandError.self) { try titles(words, listed: listed) }
    return problem?.text(in: .english)
  }

  @Test func numbersCountInTheListAsItWasPrinted() throws {
    #expect(try titles(["1", "4"], listed: ids.reversed()) == ["four", "one"])
  }

  @Test func rangesIncludeBothEnds() throws {
    #expect(try titles(["2-3", "1-1"]) == ["two", "three", "one"])
  }

  @Test func anItemNamedTwiceCountsOnce() throws {
    #expect(try titles(["1-2", "2", "a001", "A002"]) == ["one", "two"])
  }

  @Test func aNumberOfTheListComesBeforeAnID() throws {
    let digits = try #require(UUID(uuidString: "019b7c3e-0000-7000-8000-000000001004"))
    let store = try CroftTodoRepository.inMemory()
    try store.perform(.add(TodoItem(id: digits, title: "by id", priority: .low)))
    var list: [UUID] = []
    for number in 1...1004 {
      let head = String(0x1000_0000 + number, radix: 16)
      // An id that is drawn could end in 1004 as well.
      let item = TodoItem(
        id: try #require(UUID(uuidString: "\(head)-0000-7000-8000-0000000fffff")),
        title: "number \(number)", priority: .low)
      try store.perform(.add(item))
      list.append(item.id)
    }
    let long = ItemSelection(listed: ListedItems(list), repository: store) { _ in [] }
    #expect(try long.resolve(["1004"]).map(\.item.title) == ["number 1004"])
    let short = ItemSelection(listed: ListedItems(Array(list.prefix(9))), repository: store) { _ in
      []
    }
    #expect(try short.resolve(["1004"]).map(\.item.title) == ["by id"])
    #expect(try long.resolve(["01004"]).map(\.item.title) == ["number 1004"])
    #expect(try long.resolve(["0000-7000-8000-000000001004"]).map(\.item.title) == ["by id"])
  }

  @Test func labelsAreNumbersWhereThereIsOne() throws {
    let selection = ItemSelection(listed: ListedItems([ids[2]]), repository: repository) { _ in [] }
    let selected = try selection.resolve(["a003", "a004"])
    #expect(selected.map(\.number) == [1, nil])
    #expect(selected.map(\.label) == ["1", "a004"])
  }

  @Test func withoutAListNumbersAreRefusedWithTheIDs() throws {
    let text = try #require(refusal(["2"], listed: []))
    #expect(text.contains("a001  one"))
    #expect(text.contains("a004  four"))
    #expect(refusal(["1-2"], listed: [])?.contains("a001  one") == true)
  }

  @Test func whatGoesPastTheListIsRefused() {
    for word in ["0", "5", "0-2", "3-5", "1-99999999999999999999", "99999999999999999999"] {
      #expect(refusal([word])?.contains("ends at 4") == true, "\(word)")
    }
    #expect(refusal(["3-1"])?.contains("backwards") == true)
  }

  @Test func anEndingOfSeveralIDsIsRefusedWithThem() throws {
    let twin = try #require(UUID(uuidString: "019b7c3e-0000-7000-8000-0000005fa001"))
    let store = try CroftTodoRepository.inMemory()
    try store.perform(.add(TodoItem(id: ids[0], title: "one", priority: .low)))
    try store.perform(.add(TodoItem(id: twin, title: "twin", priority: .low)))
    let selection = ItemSelection(listed: ListedItems(), repository: store) { _ in [] }
    let problem = #expect(throws: CommandError.self) { try selection.resolve(["a001"]) }
    let text = try #require(problem?.text(in: .english))
    #expect(text.contains("0a001  one"))
    #expect(text.contains("fa001  twin"))
    #expect(try selection.resolve(["fa001"]).map(\.item.title) == ["twin"])
  }

  @Test func anItemThatWasDeletedSinceIsGone() throws {
    try repository.perform(.delete([ids[1]]))
    #expect(refusal(["1-3"])?.contains("2") == true)
    #expect(refusal(["a002"])?.contains("a002") == true)
    #expect(try titles(["3"]) == ["three"])
  }

  @Test(arguments: ["milk", "1,2", "1-", "-", "1-2-3", "", "한글", "１"])
  func wordsThatNameNothingAreRefused(word: String) {
    #expect(refusal([word]) != nil)
  }
}
