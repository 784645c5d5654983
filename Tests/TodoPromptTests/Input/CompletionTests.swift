import Foundation
import LineEditing
import TestSupport
import Testing

@testable import TodoPrompt

@Suite struct CompletionTests {
  static let cases: [(String, String, [String])] = [
    ("a", "", ["add", "agenda"]), ("ad", "d ", []), ("  und", "o", []),
    ("undo", "", ["undone", "undo"]), ("add", " ", []),
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
    files: { typed in ["a.txt", "a b/"].filter { $0.hasPrefix(typed) } },
    titles: { ["우유 사기", "", "buy bread"] })

  /// A line, what it becomes, and what is listed.
  private static let words: [(String, String, [String])] = [
    ("add x @집", "add x @\"집 안일\" ", []), ("add x @w", "add x @w", ["@Work", "@Weekend"]),
    ("add x @wo", "add x @Work ", []), ("add x @\"집 ", "add x @\"집 안일\" ", []),
    ("add x #h", "add x #home ", []), ("ls #", "ls #", ["#장보기", "#home"]),
    ("add x est:1", "add x est:1h ", []), ("add x 예상:3", "add x 예상:30분 ", []),
    ("add x due:내", "add x due:내일 ", []), ("ls is:ov", "ls is:overdue ", []),
    ("add x !h", "add x !high ", []), ("add x -g W", "add x -g W", ["Work", "Weekend"]),
    ("due 1 to", "due 1 to", ["today", "tomorrow"]), ("due 1 tom", "due 1 tomorrow ", []),
    ("tag 1 x\\ h", "tag 1 x\\ h", []), ("tag 1 h", "tag 1 home ", []),
    ("untag 1 장", "untag 1 장보기 ", []),
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
    ("ls --d", "ls --done ", []), ("ls --v", "ls --v", []),
    ("group rm we", "group rm Weekend ", []), ("추", "추가 ", []), ("pri 1 hi", "pri 1 high ", []),
    ("그룹 삭", "그룹 삭제 ", []), ("그룹 삭제 w", "그룹 삭제 w", ["Work", "Weekend"]),
    ("설정 정", "설정 정렬 ", []), ("wait 1 to", "wait 1 to", ["today", "tomorrow"]),
    ("import a", "import a", ["a.txt", "a b/"]), ("import a.", "import a.txt ", []),
    ("import \"a b", "import \"a b/", []), ("group image Work a.", "group image Work a.txt ", []),
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

  /// Tab completed no names of files.
  @Test func filesAreFoundByTheBeginningOfTheirPaths() throws {
    let folder = TemporaryFolder()
    for name in ["todo.txt", "tasks.json", ".hidden"] {
      try "".write(toFile: folder.path(to: name), atomically: true, encoding: .utf8)
    }
    try FileManager.default.createDirectory(
      atPath: folder.path(to: "sub"), withIntermediateDirectories: false)
    func names(_ typed: String) -> [String] {
      FileNames.beginning(with: folder.path(to: typed)).map {
        String($0.dropFirst(folder.path.count + 1))
      }
    }
    #expect(names("t") == ["tasks.json", "todo.txt"])
    #expect(names("") == ["sub/", "tasks.json", "todo.txt"])
    #expect(names(".h") == [".hidden"])
    #expect(FileNames.beginning(with: folder.path(to: "none/x")) == [])
  }

  @Test func offersWhatIsHarmlessFirstAndWhatDeletesLast() {
    let completion = Completion(of: "")
    #expect(completion.insertion == "")
    #expect(completion.choices.first == "add")
    #expect(completion.choices.last == "rm")
    #expect(completion.choices.count == Grammar.commands.count)
  }
}
