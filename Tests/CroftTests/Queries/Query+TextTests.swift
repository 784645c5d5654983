import Croft
import Foundation
import Testing

/// Texts are searched as bytes of UTF-8 in normalisation form C.
@Suite(.keepsFailedStores) struct QueryTextTests {
  private static let titles = [
    "", "Straße", "STRASSE", "strasse", "résumé", "re\u{301}sume\u{301}", "Resume", "a*b", "a?b",
    "acb", "ab", "할", "\u{1112}\u{1161}\u{11AF}", "한국", "10% off", "línea", "Ångström",
  ]

  private func count(_ condition: (QueryColumn<Song, Song>) -> QueryCondition<Song>) throws -> Int {
    var count = 0
    try withStore(of: Song.self) { store in
      try store.write { tx in
        for (id, title) in Self.titles.enumerated() {
          try tx.insert(Song(id: id, title: title, note: id % 2 == 0 ? title : nil))
        }
      }
      count = try store.count(Song.where(condition))
    }
    return count
  }

  @Test func searchingGoesByTheNormalForm() throws {
    #expect(try count { $0.title.contains("sum") } == 3)
    #expect(try count { $0.title.hasPrefix("re\u{301}") } == 2)
    #expect(try count { $0.title.hasSuffix("é") } == 2)
    #expect(try count { $0.title.contains("\u{1112}\u{1161}\u{11AF}") } == 2)
    // A scalar of a composed character is not found, because the normal form composes it.
    #expect(try count { $0.title.contains("\u{301}") } == 0)
    #expect(try count { $0.title.contains("") } == Self.titles.count)
    #expect(try count { $0.title.hasPrefix("") } == Self.titles.count)
  }

  @Test func caseAndDiacriticsCanBeLeftOut() throws {
    #expect(try count { $0.title.equals("strasse", options: .caseInsensitive) } == 3)
    #expect(try count { $0.title.contains("RASS", options: .caseInsensitive) } == 3)
    #expect(try count { $0.title.hasPrefix("resu", options: .diacriticInsensitive) } == 2)
    let both: TextOptions = [.caseInsensitive, .diacriticInsensitive]
    #expect(try count { $0.title.equals("RESUME", options: both) } == 3)
    #expect(try count { $0.title.hasSuffix("STROM", options: both) } == 1)
    #expect(try count { $0.title.like("l?nea", options: both) } == 1)
  }

  @Test func likeKnowsWildcardsAndTakesThemByTheirWord() throws {
    #expect(try count { $0.title.like("a?b") } == 3)
    #expect(try count { $0.title.like("a*b") } == 4)
    #expect(try count { $0.title.like("a\\*b") } == 1)
    #expect(try count { $0.title.like("a\\?b") } == 1)
    #expect(try count { $0.title.like("*") } == Self.titles.count)
    #expect(try count { $0.title.like("?") } == 2)
    #expect(try count { $0.title.like("") } == 1)
  }

  @Test func nilMatchesNoTextAndEveryNegation() throws {
    let nils = Self.titles.count / 2
    #expect(try count { $0.note.contains("") } == Self.titles.count - nils)
    #expect(try count { !$0.note.contains("") } == nils)
    #expect(try count { !$0.note.hasPrefix("zz") } == Self.titles.count)
  }

  @Test func betweenAndRangesIncludeWhatTheySay() throws {
    #expect(try count { $0.id.between(2, 4) } == 3)
    #expect(try count { $0.id.in(2...4) } == 3)
    #expect(try count { $0.id.in(2..<4) } == 2)
    #expect(try count { $0.rating.in(0...4) } == 0)
    #expect(try count { !$0.rating.in(0...4) } == Self.titles.count)
    #expect(try count { $0.title.between("a", "ac") } == 3)
  }
}
