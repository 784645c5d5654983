import TestSupport
import Testing

@testable import Croft

/// A search index brings all rows that match, and says for certain only of such rows that they do.
@Suite struct SearchAnswerTests {
  @Test func theIndexFindsWhatTheTwinFinds() throws {
    var random = SeededGenerator.forTest("SearchAnswerTests")
    var (searches, hits, tests) = (0, 0, 0)
    for _ in 0..<Torture.steps(short: 12, long: 600) {
      let bounds = TextIndexBounds(
        waitingRows: random.pick([0, 5]), segmentsPerMerge: 2 + random.below(3),
        longestBlock: random.pick([20, 300]), leastMoved: random.pick([1, 300]))
      let twin = try TextTreeTwin(bounds)
      for _ in 0..<12 {
        var changes: [[UInt8]: [String]?] = [:]
        for _ in 0...random.below(6) {
          let key = [UInt8(random.below(40))]
          changes[key] =
            random.oneIn(6) ? .some(nil) : [random.searchedText(), random.searchedText()]
        }
        try twin.commit(changes)
        for _ in 0..<25 {
          let row = random.pick(twin.twin.values.map(\.texts) + [["우유", "a"]])
          let query = random.search(in: random.pick(row))
          let properties = random.pick([[0], [1], [0, 1]])
          let found = try twin.search(query, in: properties, "seed \(random.seed)")
          searches += 1
          hits += found.hits
          tests += found.tests
        }
      }
    }
    #expect(hits > searches / 2)
    #expect(tests < hits * 2)
    print("counts: searches of an index compared \(searches), rows found \(hits), tested \(tests)")
  }

  /// Each state of a keyboard, from the first key on, finds the word.
  @Test func eachStateOfAKeyboardFindsTheRow() throws {
    let twin = try TextTreeTwin(TextIndexBounds(waitingRows: 0))
    let words = ["우유", "장보기", "웅덩이", "과일", "닭갈비", "괜찮아", "의자", "값어치", "앉은뱅이"]
    for (place, word) in words.enumerated() {
      try twin.commit([[UInt8(place)]: [word, "바나나\(word)를 샀다"]])
    }
    for word in words {
      for state in TypedKeys.states(of: word) {
        #expect(try twin.search(state + "*", in: [0, 1], state).hits > 0, "\(state)")
      }
    }
  }

  /// Of a word the first 64 bytes count, as far as they are whole scalars, in the index too.
  @Test func longWordsAreIndexedByTheirFirstBytes() throws {
    let twin = try TextTreeTwin(TextIndexBounds(waitingRows: 0))
    let words = [62, 63, 64, 65, 66, 67, 600, 5_000].flatMap { count in
      ["a", "b", "б", "д", "한"].map { String(repeating: "x", count: count - 1) + $0 }
    }
    for (place, word) in words.enumerated() {
      try twin.commit([[UInt8(place)]: [word, "\(word) y"]])
    }
    try twin.check("the end")
    for word in words {
      for query in [word, word + "*", "\"\(word) y\"", "-" + word] {
        #expect(try twin.search(query, in: [0, 1], word).hits > 0, "\(query)")
      }
    }
  }

  @Test(arguments: [
    // Certain without a test: words, beginnings, characters, pairs and initials.
    ("milk", 1, 0), ("mil*", 2, 0), ("우", 2, 0), ("ㅂㄴㄴㅇ", 1, 0), ("우ㅇ", 2, 0), ("-milk", 3, 0),
    ("milk OR 바나", 2, 0), ("mil* -milk", 1, 0), ("!!!", 0, 0), ("", 4, 0), ("우유", 2, 0),
    ("보기", 1, 0),
    // To be tested: longer terms, phrases, and pairs with white space between them.
    ("바나나우유", 1, 1), ("\"oat milk\"", 1, 1), ("ㅂㄴㄴㅇㅇ", 1, 1), ("장보", 1, 1),
    ("장보기", 1, 1),
  ])
  func termsAreAnsweredFromTheirPostings(_ query: String, _ hits: Int, _ tests: Int) throws {
    let twin = try TextTreeTwin(TextIndexBounds(waitingRows: 0))
    try twin.commit([
      [1]: ["oat milk", "장 보기"], [2]: ["millet", ""], [3]: ["바나나우유", ""], [4]: ["우유", ""],
    ])
    let found = try twin.search(query, in: [0, 1], query)
    #expect(found.hits == hits)
    #expect(found.tests == tests)
  }

  @Test func setsAreUnitedAndIntersected() {
    var random = SeededGenerator.forTest("NumberSetTests")
    func set() -> (NumberSet, Set<UInt32>) {
      let most = random.pick([12, 3_000])
      let numbers = (0..<random.below(40)).map { _ in UInt32(random.below(most)) }
      let set = NumberSet(unordered: numbers, below: 3_000)
      return random.oneIn(2)
        ? (set, Set(numbers)) : (set.complement, Set(0..<3_000).subtracting(numbers))
    }
    for _ in 0..<2_000 {
      let (one, other) = (set(), set())
      for (found, expected) in [
        (one.0, one.1), (one.0.union(other.0), one.1.union(other.1)),
        (one.0.intersection(other.0), one.1.intersection(other.1)),
      ] {
        #expect(found.numbers == found.numbers.sorted())
        let numbers = Set(found.numbers)
        #expect((found.isComplement ? Set(0..<3_000).subtracting(numbers) : numbers) == expected)
        #expect(numbers.count == found.numbers.count)
      }
    }
  }
}
