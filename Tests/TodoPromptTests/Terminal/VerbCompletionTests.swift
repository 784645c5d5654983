import Testing

@testable import TodoPrompt

@Suite struct VerbCompletionTests {
  static let cases: [(String, String, [String])] = [
    ("a", "dd ", []), ("  und", "one ", []), ("add", " ", []), ("d", "one ", []),
    ("h", "elp ", []), ("x", "", []), ("add m", "", []), ("add ", "", []),
  ]

  @Test(arguments: cases)
  func completesTheVerb(text: String, insertion: String, choices: [String]) {
    let completion = VerbCompletion(of: text)
    #expect(completion.insertion == insertion)
    #expect(completion.choices == choices)
  }

  @Test func offersWhatIsHarmlessFirstAndWhatDeletesLast() {
    let completion = VerbCompletion(of: "")
    #expect(completion.insertion == "")
    #expect(completion.choices.first == "add")
    #expect(completion.choices.last == "rm")
    #expect(completion.choices.count == Verb.allCases.count)
  }
}
