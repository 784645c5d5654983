import TestSupport
import Testing

@testable import Croft

/// The table of terms finds each term by its bytes, whatever its hash is, and keeps it as it grows.
@Suite struct PendingPostingsTests {
  /// Multipliers with which all hashes are equal, many, and few.
  ///
  /// With 0 all are 0; with 1 short terms of the same first four bytes have the same one.
  private static let secrets: [UInt64] = [0, 1, 0x9E37_79B9_7F4A_7C15]

  /// A term of a property, and its postings.
  private struct Term: Equatable {
    let bytes: [UInt8]
    let numbers: [UInt32]
    let counts: [UInt32]
  }

  /// Words that differ in their length, or in one of the last two letters of any length.
  ///
  /// The first eight bytes of a term have a sort and seven letters.
  private static func word(_ random: inout SeededGenerator) -> String {
    let start = String(repeating: "a", count: random.below(20))
    return start + random.pick(["a", "b", "c"]) + random.pick(["", "a", "b"])
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    if random.oneIn(3) { return random.searchedText() }
    return (0..<random.below(6)).map { _ in word(&random) }.joined(separator: " ")
  }

  private static func add(_ text: String, of property: Int, to postings: inout PendingPostings) {
    let folded = TextFolding.folded(text, .forSearch)
    Array(folded.utf8).withUnsafeBytes { postings.add($0, of: property) }
  }

  private static func removeAll(of postings: inout PendingPostings) -> [Term] {
    var found: [Term] = []
    postings.removeAll { term, numbers, counts in
      var own: ([UInt32], [UInt32]) = ([], [])
      for place in numbers.indices {
        own.0.append(numbers[place])
        own.1.append(counts[place])
      }
      found.append(Term(bytes: Array(term), numbers: own.0, counts: own.1))
    }
    return found
  }

  @Test(arguments: secrets)
  func theTableHasTheTermsOfItsTwin(secret: UInt64) {
    var random = SeededGenerator.forTest("PendingPostingsTests")
    for step in 0..<Torture.steps(short: 20, long: 500) {
      var postings = PendingPostings(properties: 2, slots: 2, secret: secret)
      // The table is as long as before, and empty, after its terms were removed.
      for _ in 0..<2 {
        var twin: [[UInt8]: [(number: UInt32, count: UInt32)]] = [:]
        for number in 0..<UInt32(random.below(30)) {
          postings.begin(number)
          for property in 0..<2 {
            let text = Self.text(&random)
            Self.add(text, of: property, to: &postings)
            for (term, count) in NaiveSearch.terms(of: text) {
              twin[[UInt8(property)] + term + [0], default: []].append((number, count))
            }
          }
        }
        let expected = twin.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
          Term(bytes: $0.key, numbers: $0.value.map(\.number), counts: $0.value.map(\.count))
        }
        let found = Self.removeAll(of: &postings)
        #expect(found == expected, "seed \(random.seed), step \(step)")
      }
    }
  }

  /// Of a word of more bytes the first 64 count, and of those whole characters.
  @Test func theFirstBytesOfALongWordAreItsTerm() {
    func word(_ count: Int, _ rest: String = "") -> String {
      String(repeating: "a", count: count) + rest
    }
    for (text, term) in [
      (word(63), word(63)), (word(64), word(64)), (word(65), word(64)),
      (word(63, "я"), word(63)), (word(62, "я"), word(62, "я")), (word(62, "яя"), word(62, "я")),
      (word(500), word(64)),
    ] {
      var postings = PendingPostings(properties: 1)
      postings.begin(0)
      Self.add(text, of: 0, to: &postings)
      let expected = [0, UInt8(ascii: "w")] + Array(term.utf8) + [0]
      #expect(Self.removeAll(of: &postings).map(\.bytes) == [expected], "\(text)")
    }
  }

  /// A term that came before the table grew is found after it, and so is each that came since.
  @Test(arguments: secrets)
  func eachTermIsFoundBeforeAndAfterEachGrowth(secret: UInt64) {
    // Words of one start, whose terms are longer than what is kept beside their counts.
    let words = (0..<40).map { "aaaaaaaa\(100 + $0)" }
    for count in 0...words.count {
      var postings = PendingPostings(properties: 2, slots: 2, secret: secret)
      for number in 0..<UInt32(2) {
        postings.begin(number)
        for word in words.prefix(count) {
          for property in 0..<2 { Self.add(word, of: property, to: &postings) }
        }
      }
      let expected = (0..<2).flatMap { property in
        words.prefix(count).map { word in
          Term(
            bytes: [UInt8(property)] + Array("w\(word)".utf8) + [0], numbers: [0, 1],
            counts: [1, 1])
        }
      }
      #expect(Self.removeAll(of: &postings) == expected, "\(count) words")
    }
  }
}
