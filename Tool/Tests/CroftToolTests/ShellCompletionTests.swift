import Croft
import Foundation
import LineEditing
import Testing

@testable import CroftTool

/// What Tab offers at the prompt.
@Suite struct ShellCompletionTests {
  private let store: BookStore

  init() throws { store = try BookStore() }

  private func shell(writes: Bool = true) -> Shell {
    let streams = Streams(readLine: { nil }, write: { _ in }, report: { _ in })
    return Shell(ShellStore(store.file), .plain, streams, writes: writes, allowsUnknownCases: false)
  }

  private func texts(_ text: String, writes: Bool = true) -> [String] {
    shell(writes: writes).candidates(for: text).texts
  }

  @Test func commandsAndTheirWordsAreOffered() throws {
    #expect(texts(".m") == [".models", ".mode "])
    #expect(texts(".schema B") == ["Book"])
    #expect(texts(".indexes ") == ["Author", "Book"])
    #expect(texts(".mode j") == ["json"])
    #expect(texts(".explain Book where ti") == ["title "])
    #expect(texts(".watch Author s") == ["select ", "sort by "])
    #expect(texts(".models x") == [])
    let folder = store.folder.path
    try Data().write(to: store.folder.appending(path: "a file.csv"))
    #expect(texts(".backup \(folder)/boo").contains("\(folder)/books.croft"))
    #expect(texts(".export \(folder)/a") == ["\"\(folder)/a file.csv\""])
    #expect(texts(".export \"\(folder)/a file.csv\" Book where yea") == ["year ", "year("])
    #expect(texts(".export out.csv Auth") == ["Author "])
    #expect(texts(".export \(folder)/out.n") == ["\(folder)/out.ndjson"])
    #expect(texts(".export out.") == OutputFormat.endings.map { "out.\($0.ending)" })
    #expect(texts(".export none/out").contains("none/out.csv"))
    #expect(texts(".export ") == texts(".backup "))
    #expect(texts(".import \(folder)/none/") == [])
    #expect(texts(".import B") == ["Book "])
    #expect(texts(".import --update B") == ["Book "])
    #expect(texts(".import --u") == ["--update "])
    #expect(texts(".import Book \(folder)/boo").contains("\(folder)/books.croft"))
    #expect(texts(".import --skip Book \(folder)/a") == ["\(folder)/a file.csv"])
    #expect(texts(".diff \(folder)/boo").contains("\(folder)/books.croft"))
    #expect(texts(".diff \(folder)/books.croft A") == ["Author"])
    #expect(texts(".diff \(folder)/books.croft Author B") == ["Book"])
    for usage in ShellCommand.usages { #expect(usage.name.hasPrefix("."), "\(usage)") }
    #expect(ShellCommand.usages.contains(.init(name: ".schema", words: ["MODEL"])))
  }

  @Test func wordsOfTheLanguageAndOfTheFileAreOffered() {
    #expect(
      texts("")
        == [
          "Author ", "Book ", "insert ", "update ", "delete ", "watch ", "begin ", "commit ",
          "rollback ",
        ]
        .map { ["begin ", "commit ", "rollback "].contains($0) ? String($0.dropLast()) : $0 })
    #expect(texts("", writes: false) == ["Author ", "Book ", "watch "])
    #expect(texts("b") == ["Book ", "begin"])
    #expect(texts("watch B") == ["Book "])
    #expect(texts("Book where author.na") == ["name "])
    #expect(texts("Book where auth") == ["author"])
    #expect(texts("Book where form == e").isEmpty)
    #expect(texts("Book where form == p") == ["paper "])
    #expect(texts("Author where Book.") == ["author"])
    #expect(texts("Author where Book.author any (stat") == ["state "])
    #expect(texts("Book where year > 2000 and\n  (ti") == ["title "])
    #expect(texts("Book where up") == ["upper("])
    #expect(shell().candidates(for: "Book where TI").word == "TI")
  }
}
