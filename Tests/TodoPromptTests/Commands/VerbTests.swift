import Testing

@testable import TodoPrompt

@Suite struct VerbTests {
  @Test(arguments: [
    ("ad", Verb.add), ("aded", .add), ("ADD", .add), ("l", .ls), ("lst", .ls), ("sl", .ls),
    ("dnoe", .done), ("undo", .undo), ("undon", .undone), ("eidt", .edit), ("hlep", .help),
    ("qiut", .quit), ("r", .redo), ("gruop", .group), ("tga", .tag), ("strar", .star), ("rn", .rm),
  ])
  func findsTheNearestVerb(word: String, verb: Verb) {
    #expect(Verb.nearest(to: word) == verb)
  }

  @Test(arguments: ["", "frobnicate", "x", "우유", "milk", "remove-everything"])
  func suggestsNothingForWordsFromElsewhere(word: String) {
    #expect(Verb.nearest(to: word) == nil)
  }

  @Test func countsSlips() {
    #expect("done".editDistance(to: "done") == 0)
    #expect("dnoe".editDistance(to: "done") == 1)
    #expect("".editDistance(to: "rm") == 2)
    #expect("kitten".editDistance(to: "sitting") == 3)
  }

  @Test func whatDeletesStandsLast() {
    #expect(Verb.allCases.suffix(2) == [.group, .rm])
    #expect(GroupCommand.Action.allCases.last == .rm)
  }

  @Test func everyVerbHasAnExampleThatItsGrammarReads() throws {
    for verb in Verb.allCases {
      var grammar = Grammar()
      #expect(throws: Never.self) { try grammar.parse(LineTokenizer(verb.example).words) }
      #expect(verb.synopsis.hasPrefix(verb.rawValue))
      #expect(verb.example.hasPrefix(verb.rawValue))
    }
  }
}
