import Testing

@testable import CroftTool

/// When an entry of the prompt is complete.
@Suite struct EntryTests {
  private func isComplete(_ lines: String...) -> Bool {
    var entry = Entry()
    for line in lines { entry.add(line) }
    return entry.isComplete
  }

  @Test func anUnfinishedTextAsksForMore() {
    #expect(!isComplete("Book where"))
    #expect(!isComplete("Book where (year > 2000"))
    #expect(!isComplete("Book where title == \"a"))
    #expect(!isComplete("insert Author {", "  id: 3,"))
    #expect(!isComplete("watch Book where"))
    #expect(!isComplete("Book where title == \"a;"))
    #expect(isComplete("insert Author {", "  id: 3, name: \"Eve\"", "}"))
    #expect(isComplete("Book where (year > 2000", ") limit 1"))
  }

  @Test func everythingElseIsComplete() {
    for line in [
      "", "  ", "# Book where (", ".schema Book", ".explain Book where (", "begin", "Book",
      "Book where )", "Book wher x", "commit",
    ] {
      #expect(isComplete(line), "\(line)")
    }
  }

  /// An empty line and a semicolon end what could continue, so that nobody is caught in an entry.
  @Test func anEmptyLineAndASemicolonEndIt() {
    #expect(isComplete("Book where", ""))
    #expect(isComplete("Book where title == \"a", " "))
    #expect(isComplete("Book where (year > 2000;"))
    #expect(isComplete("Book;"))
    #expect(Entry.ended("Book ; ") == "Book ; ")
    #expect(Entry.ended("Book ;") == "Book")
    #expect(Entry.ended("Book where title == \"a;\"") == "Book where title == \"a;\"")
    #expect(Entry.ended("Book where title == \"a;") == "Book where title == \"a;")
  }
}
