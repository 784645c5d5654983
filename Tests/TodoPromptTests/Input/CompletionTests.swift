import Testing

@testable import TodoPrompt

@Suite struct CompletionTests {
  static let cases: [(String, String, [String])] = [
    ("a", "dd ", []), ("  und", "o", []), ("undo", "", ["undone", "undo"]), ("add", " ", []),
    ("d", "", ["done", "due"]), ("h", "elp ", []), ("x", "", []), ("add m", "", []),
    ("add ", "", []), ("gr", "oup ", []), ("group ", "", ["add", "edit", "mv", "rm"]),
    ("group r", "m ", []), ("group rm", " ", []), ("group rm x", "", []), ("groupa", "", []),
  ]

  @Test(arguments: cases)
  func completesTheVerb(text: String, insertion: String, choices: [String]) {
    let completion = Completion(of: text)
    #expect(completion.insertion == insertion)
    #expect(completion.choices == choices)
  }

  @Test func offersWhatIsHarmlessFirstAndWhatDeletesLast() {
    let completion = Completion(of: "")
    #expect(completion.insertion == "")
    #expect(completion.choices.first == "add")
    #expect(completion.choices.last == "rm")
    #expect(completion.choices.count == Grammar.commands.count)
  }
}
