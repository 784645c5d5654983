import Croft
import Foundation
import Testing

@testable import CroftTool

/// Lines of the standard input where no prompt asks for more of a statement.
@Suite struct LineTests {
  private let store: BookStore
  private var file: String { store.file }

  init() throws { store = try BookStore() }

  private func run(_ words: [String], _ input: [String] = [], isTyped: Bool = false) -> ToolRun {
    ToolRun(words, input: input, isTyped: isTyped, isShown: isTyped)
  }

  private func count() throws -> Int {
    try store.open().count(Book.where { $0.state == .kept })
  }

  /// `delete Book`, with its condition on the next line, deleted all objects.
  @Test(arguments: ["delete Book", "DELETE `Book`", "update Book set state = lent", "delete  Book"])
  func aStatementAboutAllObjectsEndsWithASemicolon(statement: String) throws {
    for options in [["--write"], ["--write", "--keep-going"]] {
      for lines in [[statement, "  where id == 1;"], ["begin", statement, "  where id == 1;"]] {
        let refused = run(options + [file], lines + (lines.count == 3 ? ["commit"] : []))
        #expect(refused.code == 1 && refused.output == "", "\(lines)")
        let first = refused.messages.first ?? ""
        #expect(first.hasPrefix("croft: line \(lines.count - 1): "))
        #expect(
          first.hasSuffix(
            "Book is about all objects: end it with ; or write where true; a statement is on one "
              + "line here"), "\(refused.messages)")
        if options.count == 2 {
          #expect(
            refused.messages.dropFirst().joined().hasSuffix(
              "where begins no query and no statement: a query or a statement is on one line here"))
        }
        #expect(try count() == 3)
      }
    }
    #expect(run(["--write", file], [statement + " ;"]).output == "3\n")
    #expect(try count() == 0)
  }

  @Test func otherStatementsNeedNone() throws {
    for lines in [
      ["delete Book where id == 1"], ["update Book where true set state = kept"],
      ["delete `Book`where id == 2", "insert Author {id: 3, name: \"Eve\"}"],
    ] {
      #expect(run(["--write", file], lines).code == 0, "\(lines)")
    }
    #expect(try count() == 1)
    // An argument is whole, and at the prompt a person is asked.
    #expect(run(["--write", file, "update Book\n  set state = lent"]).output == "1\n")
    let typed = run(["--write", file], ["delete Book", "y"], isTyped: true)
    #expect(typed.code == 0 && typed.messages == [])
    #expect(try store.open().count(Book.all) == 0)
  }

  @Test func aLineThatContinuesAnotherIsRefused() throws {
    for line in ["where id == 1", "and(id == 1)", "or id == 2", "Set year = 1", "sort by id"] {
      let run = run([file], [line])
      #expect(run.code == 1 && run.messages.count == 1)
      let text = run.messages.joined()
      #expect(text.hasSuffix("a query or a statement is on one line here"), "\(line)")
    }
    let foreign = run([file], ["select id from Book"])
    #expect(foreign.messages.joined().contains("a query begins with the name of its model"))
    #expect(!run([file, "where id == 1"]).messages.joined().contains("on one line here"))
  }
}
