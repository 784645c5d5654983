import Croft
import Foundation
import Testing

@testable import CroftTool

@Embedded struct Loan {
  var reader: Ref<Reader>
  var note: String
}

@Model struct Reader {
  @PrimaryKey var id: Int
  var name: String
}

@Model struct Lent {
  @PrimaryKey var id: Int
  var loan: Loan?
  var count: Int
}

/// Damaged files: what `croft repair` makes of them, and what `verify` says.
@Suite struct RepairTests {
  private let store: BookStore
  private var file: String { store.file }
  private var copy: String { store.folder.appending(path: "repaired.croft").path }

  init() throws { store = try BookStore() }

  private func run(_ words: [String]) -> ToolRun { ToolRun(words, isShown: false) }

  private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: file)) }

  private func damage(_ text: String, _ other: String) throws {
    var bytes = try bytes()
    while let place = bytes.range(of: Data(text.utf8)) {
      bytes.replaceSubrange(place, with: Data(other.utf8))
    }
    try bytes.write(to: URL(filePath: file))
  }

  private func repaired() throws -> Store {
    try Store.open(at: URL(filePath: copy), models: Author.self, Book.self)
  }

  @Test func aSoundFileLosesNothing() throws {
    let run = run(["repair", file, "--to", copy])
    #expect(run.code == 0 && run.messages == [])
    #expect(run.output == "Made \(copy) of 5 objects.\n")
    #expect(self.run(["diff", file, copy]).code == 0)
    // The name of the copy is a word, too, and an existing file is refused.
    let again = self.run(["repair", file, copy])
    #expect(again.code == 1)
    #expect(again.messages.first?.contains("choose another name, or remove it first") == true)
    #expect(self.run(["repair", file]).code == 64)
  }

  @Test func aDamagedObjectIsLostAlone() throws {
    try damage("Sea", "Tea")
    let before = try bytes()
    let run = run(["repair", file, copy])
    #expect(run.code == 1)
    let lines = run.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 2)
    #expect(lines[0].hasPrefix("lost: ") && lines[0].contains("Book") && lines[0].contains("3"))
    #expect(lines[1] == "Made \(copy) of 4 objects.")
    #expect(run.messages == ["croft: not all could be read: 1 line tells what is lost"])
    #expect(try bytes() == before)
    #expect(try repaired().fetch(Book.all).map(\.id) == [1, 2])
    #expect(try repaired().fetch(Book.where { $0.title == "line\nfeed" }).map(\.id) == [2])
    #expect(try repaired().verify().isSound)
  }

  @Test func aReferenceToALostObjectIsNil() throws {
    try damage("우유", "두유")
    let run = run(["repair", file, copy])
    #expect(run.messages == ["croft: not all could be read: 2 lines tell what is lost"])
    #expect(run.output.contains("lost: Book 1: its author referred to an object that is lost\n"))
    #expect(run.output.hasSuffix("Made \(copy) of 4 objects.\n"))
    #expect(try repaired().fetch(Author.all).map(\.id) == [2])
    #expect(try repaired().fetch(Book.all).map { $0.author?.key } == [nil, 2, nil])
    #expect(try repaired().verify().isSound)
  }

  /// More objects than are mended in one commit.
  @Test func manyReferencesToALostObjectAreNil() throws {
    let count = 5_000
    try store.open().write { tx in
      try tx.insert(
        contentsOf: (10..<10 + count).map {
          Book(id: $0, title: "number \($0).", year: $0, author: Ref($0 % 3 == 0 ? 2 : 1))
        })
    }
    try damage("우유", "두유")
    let run = run(["repair", file, copy])
    #expect(run.code == 1)
    let found = try repaired().fetch(Book.where { $0.id >= 10 })
    #expect(found.count == count)
    #expect(found.allSatisfy { $0.author?.key == ($0.id % 3 == 0 ? 2 : nil) })
    #expect(found.allSatisfy { $0.title == "number \($0.id)." })
    #expect(try repaired().verify().isSound)
  }

  /// A struct without its reference could not be read, so all of it is nil.
  @Test func aStructThatReferredToALostObjectIsNil() throws {
    let other = store.folder.appending(path: "loans.croft")
    do {
      let loans = try Store.open(at: other, models: Reader.self, Lent.self)
      try loans.write { tx in
        try tx.insert(contentsOf: [Reader(id: 1, name: "우유"), Reader(id: 2, name: "Bo")])
        try tx.insert(contentsOf: [
          Lent(id: 1, loan: Loan(reader: Ref(1), note: "a"), count: 1),
          Lent(id: 2, loan: Loan(reader: Ref(2), note: "b"), count: 2),
          Lent(id: 3, loan: nil, count: 3),
        ])
      }
    }
    var bytes = try Data(contentsOf: other)
    while let place = bytes.range(of: Data("우유".utf8)) {
      bytes.replaceSubrange(place, with: Data("두유".utf8))
    }
    try bytes.write(to: other)
    let run = run(["repair", other.path, copy])
    #expect(run.messages == ["croft: not all could be read: 2 lines tell what is lost"])
    let found = try Store.open(at: URL(filePath: copy), models: Reader.self, Lent.self)
      .fetch(Lent.all)
    #expect(found.map(\.count) == [1, 2, 3])
    #expect(found.map { $0.loan?.note } == [nil, "b", nil])
  }

  /// Of the objects around a damaged page few are lost beside those on it.
  @Test func theObjectsOfOtherPagesAreFound() throws {
    let count = 3_000
    try store.open().write { tx in
      try tx.insert(
        contentsOf: (10..<10 + count).map { Book(id: $0, title: "number \($0).", year: $0) })
    }
    let before = try store.open().fetch(Book.all)
    var bytes = try bytes()
    var rest = bytes.startIndex..<bytes.endIndex
    let pageBytes = 4096
    var pages: Set<Int> = []
    while let place = bytes.range(of: Data("number 1500.".utf8), in: rest) {
      pages.insert(place.lowerBound / pageBytes)
      rest = place.upperBound..<bytes.endIndex
    }
    for page in pages {
      let range = page * pageBytes..<(page + 1) * pageBytes
      bytes.replaceSubrange(range, with: Data(count: pageBytes))
    }
    try bytes.write(to: URL(filePath: file))
    let run = run(["repair", file, copy])
    #expect(run.code == 1)
    let line = run.output.split(separator: "\n").first ?? ""
    #expect(line.hasPrefix("lost: Book: ") && line.contains(" objects between the keys "))
    let found = try repaired().fetch(Book.all)
    let ids = Set(found.map(\.id))
    #expect(found.map(\.title) == before.filter { ids.contains($0.id) }.map(\.title))
    #expect(!found.contains { $0.id == 1_500 })
    let lost = before.count - found.count
    #expect(lost > 1 && lost < 150)
    #expect(line.contains("Book: \(lost) objects between the keys "))
    #expect(try repaired().verify().isSound)
  }

  @Test func aFileWithoutItsJournalIsRepairedFromACopy() throws {
    let taken = store.folder.appending(path: "taken.croft")
    do {
      // While it is open, the file alone is not complete.
      let open = try store.open()
      try open.write { try $0.insert(Author(id: 3, name: "Ada")) }
      try open.write { try $0.insert(Author(id: 4, name: "Eve")) }
      try FileManager.default.copyItem(at: URL(filePath: file), to: taken)
    }
    let before = try Data(contentsOf: taken)
    #expect(run([taken.path, "Author"]).code == 66)
    let run = run(["repair", taken.path, copy])
    #expect(run.code == 1)
    #expect(run.output.hasPrefix("lost: the commits that only the journal had"))
    #expect(try repaired().fetch(Book.all).count == 3)
    #expect(try repaired().verify().isSound)
    #expect(try Data(contentsOf: taken) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
    #expect(!names.contains { $0.hasPrefix("croft-repair") })
  }

  /// A file that cannot be opened for another reason was taken for one without its journal.
  @Test func anErrorOfOpeningIsTold() throws {
    let run = run(["repair", store.folder.path, copy])
    #expect(run.code == 66 && run.output == "")
    #expect(run.messages.count == 1 && run.messages[0].contains("it is a folder"))
  }

  /// The journal could not be replayed, and nothing but the journal's replay could open the file.
  @Test(arguments: [true, false]) func aDamagedFileThatWasNotClosedIsReadAsFarAsItCan(
    hasJournal: Bool
  ) throws {
    let taken = store.folder.appending(path: "taken.croft")
    do {
      let open = try store.open()
      try open.write { tx in
        try tx.insert(
          contentsOf: (10..<3_000).map { Book(id: $0, title: "number \($0).", year: $0) })
      }
      try open.write { try $0.insert(Author(id: 4, name: "Eve")) }
      for end in hasJournal ? ["", "-journal"] : [""] {
        try FileManager.default.copyItem(
          at: URL(filePath: file + end), to: URL(filePath: taken.path + end))
      }
    }
    var bytes = try Data(contentsOf: taken)
    let pageBytes = 4096
    while let place = bytes.range(of: Data("number 1500.".utf8)) {
      let page = place.lowerBound / pageBytes
      bytes.replaceSubrange(
        page * pageBytes..<(page + 1) * pageBytes, with: Data(count: pageBytes))
    }
    try bytes.write(to: taken)
    #expect(run([taken.path, "Author"]).code == 66)
    let run = run(["repair", taken.path, copy])
    #expect(run.code == 1)
    let lines = run.output.split(separator: "\n")
    try #require(lines.count == 3, "\(lines)")
    let reason = hasJournal ? "it cannot be replayed, because a page is damaged" : "it is missing"
    #expect(lines[0].hasPrefix("lost: the commits that only the journal had: " + reason))
    #expect(lines[1].hasPrefix("lost: Book: "))
    #expect(try repaired().fetch(Book.all).count > 2_900)
    #expect(try repaired().fetch(Author.where { $0.id == 4 }).map(\.name) == ["Eve"])
    #expect(try repaired().verify().isSound)
    #expect(try Data(contentsOf: taken) == bytes)
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
    #expect(!names.contains { $0.hasPrefix("croft-repair") })
  }

  /// The file is made all the same, and 0 would tell that nothing was lost.
  @Test func aReaderThatLeavesDoesNotEndTheWork() throws {
    try damage("Sea", "Tea")
    let streams = Streams(
      readLine: { nil }, write: { _ in throw Streams.ReaderLeft() }, report: { _ in })
    #expect(Program.run(["repair", file, copy], streams) == 74)
    #expect(try repaired().fetch(Book.all).map(\.id) == [1, 2])
    #expect(Program.run(["diff", file, copy], streams) == 2)
  }

  /// It ended as a missing file does.
  @Test func aDamagedCatalogIsDamage() throws {
    try damage("\"author\"", "\"author}")
    let verified = run(["verify", file])
    #expect(verified.code == 1 && verified.output == "")
    #expect(verified.messages.first?.hasPrefix("croft: the store has 1 problem\n") == true)
    #expect(run([file, "Book"]).code == 66)
    let repair = run(["repair", file, copy])
    #expect(repair.code == 1 && repair.output == "")
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(run(["verify", store.folder.appending(path: "none.croft").path]).code == 66)
  }
}
