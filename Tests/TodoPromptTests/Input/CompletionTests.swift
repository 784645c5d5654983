import Testing

@testable import TodoPrompt

@Suite struct CompletionTests {
  static let cases: [(String, String, [String])] = [
    ("a", "dd ", []), ("  und", "o", []), ("undo", "", ["undone", "undo"]), ("add", " ", []),
    ("d", "", ["done", "due"]), ("h", "elp ", []), ("x", "", []), ("add m", "", []),
    ("add ", "", []), ("gr", "oup ", []), ("group ", "", ["add", "edit", "image", "mv", "rm"]),
    ("group r", "m ", []), ("group rm", " ", []), ("group rm x", "", []), ("groupa", "", []),
  ]

  @Test(arguments: cases)
  func completesTheVerb(text: String, insertion: String, choices: [String]) {
    let completion = Completion(of: text)
    #expect(completion.insertion == insertion)
    #expect(completion.choices == choices)
  }

  private let names = CompletionNames(
    groups: { ["집 안일", "Work", "Weekend"] }, tags: { ["장보기", "home"] },
    titles: { ["우유 사기", "", "buy bread"] })

  /// A line, what it becomes, and what is listed.
  private static let words: [(String, String, [String])] = [
    ("add x @집", "add x @\"집 안일\" ", []), ("add x @w", "add x @w", ["@Work", "@Weekend"]),
    ("add x @wo", "add x @Work ", []), ("add x @\"집 ", "add x @\"집 안일\" ", []),
    ("add x #h", "add x #home ", []), ("ls #", "ls #", ["#장보기", "#home"]),
    ("add x due:내", "add x due:내일 ", []), ("ls is:ov", "ls is:overdue ", []),
    ("add x !h", "add x !high ", []), ("add x -g W", "add x -g W", ["Work", "Weekend"]),
    ("due 1 to", "due 1 to", ["today", "tomorrow"]), ("due 1 tom", "due 1 tomorrow ", []),
    ("tag 1 h", "tag 1 home ", []), ("untag 1 장", "untag 1 장보기 ", []),
    ("mv 1 to Wo", "mv 1 to Work ", []),
    ("mv 1 to ", "mv 1 to ", ["집 안일", "Work", "Weekend", "none"]), ("mv 1 bo", "mv 1 bottom ", []),
    ("done 우", "done 1 ", []), ("done br", "done 3 ", []),
    (
      "done ", "done ",
      [
        "1 우유 사기", "3 buy bread",
      ]
    ), ("ls imp", "ls important ", []), ("show wor", "show Work ", []),
    ("help und", "help undo", []), ("help unst", "help unstar ", []), ("ls --so", "ls --sort ", []),
    ("ls --sort pri", "ls --sort priority ", []), ("add -- @W", "add -- @W", []),
    ("group rm we", "group rm Weekend ", []), ("추", "추가 ", []), ("pri 1 hi", "pri 1 high ", []),
    ("ls --color=x ", "ls --color=x ", ["집 안일", "Work", "Weekend", "important", "none"]),
  ]

  @Test func completesWhatAVerbTakes() {
    for (line, completed, choices) in Self.words {
      let completion = Completion(of: line, names: names)
      let kept = String(line.dropLast(completion.replacedCount))
      #expect(kept + completion.insertion == completed, "\(line)")
      #expect(completion.choices == choices, "\(line)")
    }
  }

  @Test func offersWhatIsHarmlessFirstAndWhatDeletesLast() {
    let completion = Completion(of: "")
    #expect(completion.insertion == "")
    #expect(completion.choices.first == "add")
    #expect(completion.choices.last == "rm")
    #expect(completion.choices.count == Grammar.commands.count)
  }
}
