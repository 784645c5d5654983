import Foundation
import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct ShortIDTests {
  private let id = KnownRepository.id(1)

  @Test(arguments: [
    "a001", "A001", "0a001", "8000-00000000a001", "019b7c3e00007000800000000000a001",
  ])
  func matchesEveryEnding(word: String) throws {
    #expect(try #require(ShortID(word)).matches(id))
  }

  @Test(arguments: ["a002", "1a001", "119b7c3e-0000-7000-8000-00000000a001"])
  func matchesNothingElse(word: String) throws {
    #expect(try #require(ShortID(word)).matches(id) == false)
  }

  @Test(arguments: [
    "", "001", "a00g", "milk", "-a001", "a001-", "가나다라", "１２３４",
    "0019b7c3e-0000-7000-8000-00000000a001",
  ])
  func readsOnlyFourDigitsOrMore(word: String) {
    #expect(ShortID(word) == nil)
  }

  @Test func aWholeIDIsTheIDItself() {
    #expect(ShortID(id.uuidString)?.wholeID == id)
    #expect(ShortID("a001")?.wholeID == nil)
  }

  @Test func isAsLongAsItTakesToTellIDsApart() throws {
    #expect(ShortID.count(for: []) == 4)
    #expect(ShortID.count(for: [id]) == 4)
    #expect(ShortID.count(for: (1...9).map(KnownRepository.id)) == 4)
    let twin = try #require(UUID(uuidString: "019b7c3e-0000-7000-8000-0000005fa001"))
    #expect(ShortID.count(for: [id, KnownRepository.id(2), twin]) == 5)
    let far = try #require(UUID(uuidString: "119b7c3e-0000-7000-8000-00000000a001"))
    #expect(ShortID.count(for: [id, far]) == 32)
    #expect(ShortID.count(for: [id, id]) == 32)
    #expect(ShortID.text(of: twin, count: 5) == "fa001")
  }
}
