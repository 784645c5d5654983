import Foundation
import Testing

/// Programs of their own use the module of this build, in both language modes.
@Suite struct ClientTests {
  /// A program below `Tests/Clients`, and what it prints.
  struct Client: CustomTestStringConvertible {
    let name: String
    let output: [String]

    var testDescription: String { name }
  }

  static let documented = [
    Client(
      name: "Publishable",
      output: [
        "Old Name: Old Model, New Name: Old Model", "Old Name: Old Model, New Name: New Model",
      ]),
    Client(name: "EventBus", output: ["Payload: Hello, World!"]),
  ]

  /// What RxSwift and RxTest record for the same program.
  static let ported = Client(
    name: "RxSwiftProgram",
    output: [
      #"first next(["s in all"]) @ 218"#, #"first next(["sw in all"]) @ 253"#,
      #"first next(["swift in all"]) @ 308"#, #"first next(["swift in books"]) @ 408"#,
      #"first next(["nothing"]) @ 530"#, #"second next(["swift in all"]) @ 350"#,
      #"second next(["swift in books"]) @ 408"#,
      "s 1 @ 210, sw 1 @ 220, sw 2 @ 230, sw 3 @ 245, swift 1 @ 300, swift 1 @ 400, "
        + "boom 1 @ 500, boom 2 @ 510, boom 3 @ 525",
      #"["category books"] false"#, #"["200 to 560"]"#,
    ])

  static let ofBothModes = [
    Client(
      name: "CallSites",
      output: [
        "second: a to a", "first: a to b", "second: a to b", "third: a to b", "second: b to c",
        "third: instead, c", "second: x to y", "second: y to z", "second: c to c",
        "second: c to c", "count: 1", "count: 5", "first: nothing", "first: second",
        "first: hello", "second: hello", "first: 1", "second: 1", "second: again", "main, actor",
        "roles: 0", "roles: 1", "true true",
      ]),
    Client(
      name: "Blocking",
      output: [
        "main queue [1, 2, 3]", "without a timeout [1, 2, 3]", "there and back [1, 2, 3]",
        "a timer 3", "a driver [1, 2, 3]", "the main actor 7", "elsewhere [1, 2, 3]",
        "no end timeout", #"within ["[1, 2, 3]", "timeout"]"#,
      ]),
    Client(
      name: "Observables",
      output: [
        "total 0, total 1, total 3", "one", "ONE", "two", "TWO", "completed", "disposed",
        "torn down", "a", "Refused()",
      ]),
    Client(
      name: "Operators",
      output: [
        "zip next(1a) next(2b) next(3c) completed",
        "zip tuples next(1a) next(2b) next(3c) completed",
        "zip list next([1, 10]) next([2, 20]) next([3, 30]) completed",
        "concat next(1) next(2) next(3) next(9) completed",
        "concat list next(1) next(2) next(3) next(1) next(2) next(3) completed",
        "concat next next(1) next(2) next(3) next(9) completed",
        "concat inner next(1) next(2) next(3) next(1) next(2) next(3) completed",
        "switch next(1) next(2) next(3) next(1) next(2) next(3) completed",
        "merge next(1) next(2) next(3) next(1) next(2) next(3) completed",
        "start next(7) next(8) next(1) next(2) next(3) completed",
        "latest next(c) next(c) next(c) completed", "take while next(1) next(2) completed",
        "take while inclusive next(1) next(2) next(3) completed",
        "take until next(1) next(2) next(3) completed",
        "take until other next(1) next(2) next(3) next(4) next(5) completed",
        "take last next(4) next(5) completed", "skip next(4) next(5) completed",
        "skip while next(4) next(5) completed", "skip until completed",
        "element next(2) completed", "first next(Optional(1)) completed",
        "single next(4) completed", "ignore completed", "scan next(1) next(3) next(6) completed",
        "scan into next([1]) next([1, 2]) next([1, 2, 3]) completed", "reduce next(6) completed",
        "reduce map next(sum 6) completed", "array next([1, 2, 3]) completed",
        "flat next(10) next(20) next(30) completed",
        "dematerialize next(1) next(2) next(3) completed", "catch next(1) next(9) completed",
        "catch and return next(1) next(8) completed",
        "catch sequence next(1) next(7) completed", "retry next(1) next(1) error(Refused())",
        "retry when next(1) next(1) completed",
        "retry when of a type next(1) next(1) next(1) completed", "values [1, 2, 3]",
        "dropped 1", "dropped 2", "newest 3", "doubled 4",
      ]),
  ]

  @Test(arguments: documented)
  func theDocumentedProgramPrintsWhatItSays(client: Client) throws {
    let program = try Program(client.name, languageMode: "5")
    #expect(program.diagnostics == "")
    #expect(try program.run() == client.output)
  }

  @Test func aProgramWrittenForRxSwiftRecordsTheSameEventsAfterChangingTheImport() throws {
    let program = try Program(Self.ported.name, languageMode: "5")
    #expect(program.diagnostics == "")
    #expect(try program.run() == Self.ported.output)
  }

  @Test(arguments: ofBothModes, ["5", "6"])
  func theProgramCompilesInBothLanguageModesWithoutAWarning(
    client: Client, languageMode: String
  ) throws {
    let program = try Program(client.name, languageMode: languageMode)
    #expect(program.diagnostics == "")
    #expect(try program.run() == client.output)
  }

  @Test(arguments: [("5", 0), ("6", 5)])
  func whatCannotBeSharedAmongThreadsIsAWarningAndNoError(
    languageMode: String, warnings: Int
  ) throws {
    let program = try Program("Warnings", languageMode: languageMode)
    let lines = program.diagnostics.split(separator: "\n")
    #expect(lines.count { $0.contains(".swift:") && $0.contains(": warning: ") } == warnings)
    #expect(!program.diagnostics.contains("error: "))
    #expect(try program.run() == [#"1 ["1", "yes"]"#, "0", "0", "0", "0", "[2, 1]"])
  }
}
