import Testing

/// Standard streams that fail: each was silent once, or made what was stored look failed.
@Suite struct BrokenStreamTests {
  @Test(arguments: [
    ("\"$TODO\" < .", "it is a folder"), ("\"$TODO\" <&-", "it is closed"),
    ("\"$TODO\" --keep-going < .", "it is a folder"),
    ("\"$TODO\" --lang ko < .", "표준 입력을 읽을 수 없습니다"),
  ])
  func inputThatCannotBeReadIsAnError(line: String, reason: String) throws {
    let result = try TodoProcess().shell(line)
    #expect(result.status == 1 && result.output == "")
    #expect(result.messages.contains(reason), "\(result.messages)")
    #expect(result.messages.filter { $0 == "\n" }.count == 1)
  }

  /// It answered 1 once, so that a script that tried again had two of them.
  @Test(arguments: [">/dev/full", ">&-"])
  func anAnswerThatIsLostDoesNotMakeAStoredItemLookFailed(stream: String) throws {
    let todo = try TodoProcess()
    let added = try todo.shell("\"$TODO\" add milk !h \(stream)")
    #expect(added.status == 0)
    #expect(added.messages.hasPrefix("The change is stored; the answer cannot be written:"))
    #expect(try todo.run(["-o", "plain", "ls"]).output.contains("milk"))
    let listed = try todo.shell("\"$TODO\" ls \(stream)")
    #expect(listed.status == 1)
    #expect(listed.messages.hasPrefix("Results cannot be written:"))
    for line in ["--version", "help", "done 1"] {
      #expect(try todo.shell("\"$TODO\" \(line) \(stream)").status == 1)
    }
  }

  @Test(arguments: ["", "--keep-going "])
  func aScriptEndsAtTheLineAfterALostAnswerAndSaysSo(option: String) throws {
    let todo = try TodoProcess()
    let result = try todo.shell(
      "printf 'add a !h\\n# done\\nadd b !h\\nadd c !h\\n' | \"$TODO\" \(option)>/dev/full")
    #expect(result.status == 1)
    #expect(result.messages.contains("The change is stored"))
    #expect(result.messages.contains("line 3: Not run, and no line after it"))
    #expect(try todo.run(["-o", "csv", "ls"]).output.split(separator: "\n").count == 2)
    let whole = try todo.shell("printf 'add d !h\\n\\n' | \"$TODO\" >/dev/full")
    #expect(whole.status == 0, "\(whole.messages)")
    let options = try todo.shell("\"$TODO\" -c 'add e !h' -c 'add f !h' >/dev/full")
    #expect(options.status == 1 && options.messages.contains("-c 2: Not run"))
  }

  /// A hint that cannot be written is nothing that the user asked for.
  @Test func messagesThatAreLostChangeNothing() throws {
    let todo = try TodoProcess()
    let added = try todo.shell("\"$TODO\" add milk +home !h 2>/dev/full")
    #expect(added.status == 0 && added.output.contains(": milk +home"))
    #expect(try todo.shell("\"$TODO\" nonsense 2>/dev/full").status == 64)
  }

  /// A part of a line, read before the error, may be another command than the line.
  @Test func theLastLineMayLackItsNewline() throws {
    let todo = try TodoProcess()
    #expect(try todo.shell("printf 'add a !h' | \"$TODO\"").output.hasPrefix("Added 1: a"))
  }
}
