import Foundation
import Presentation
import Testing
import TodoKit
import TodoTestSupport

@Suite("Priority")
struct PriorityTests {
  @Test func prioritiesAreOrderedFromNoneToHigh() {
    #expect(Priority.allCases.shuffled().sorted() == [.none, .low, .normal, .high])
  }

  @Test func theStoredNumbersNeverChange() {
    #expect(Priority.allCases.map(\.rawValue) == [0, 1, 2, 3])
    #expect([Priority.none, .low, .normal, .high].map(\.rawValue) == [0, 1, 2, 3])
  }

  @Test(arguments: [
    ("high", Priority.high), ("h", .high), ("H", .high), ("HIGH", .high), ("높음", .high),
    ("normal", .normal), ("n", .normal), ("보통", .normal), ("low", .low), ("L", .low),
    ("낮음", .low), ("none", .none), ("없음", .none), (" high\t", .high),
  ])
  func wordsOfBothLanguagesAreRead(word: String, priority: Priority) {
    #expect(Priority(word: word) == priority)
  }

  @Test func hangulIsReadInEitherNormalForm() {
    #expect(Priority(word: "높음".decomposedStringWithCanonicalMapping) == .high)
  }

  @Test(arguments: ["", " ", "hi", "highest", "0", "urgent", "높"])
  func otherWordsAreNone(word: String) {
    #expect(Priority(word: word) == nil)
  }

  @Test func wordsAreWrittenInTheLanguageAskedFor() {
    #expect(Priority.allCases.map { $0.word(in: .english) } == ["none", "low", "normal", "high"])
    #expect(Priority.allCases.map { $0.word(in: .korean) } == ["없음", "낮음", "보통", "높음"])
    #expect(Priority.high.word(in: Language(rawValue: "fr")) == "high")
  }

  @Test(arguments: Priority.allCases)
  func whatIsWrittenCanBeReadAgain(priority: Priority) {
    #expect(Priority(word: priority.word(in: .english)) == priority)
    #expect(Priority(word: priority.word(in: .korean)) == priority)
  }
}
