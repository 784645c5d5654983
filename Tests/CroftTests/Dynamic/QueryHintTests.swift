import Foundation
import TestSupport
import Testing

@testable import Croft

/// What is told of texts beside their results and in errors: each advice is a text that is read.
@Suite struct QueryHintTests {
  /// Such a query found nothing, and nothing said why.
  @Test func aPatternOfSQLHasAHint() throws {
    func hint(_ text: String, _ texts: [String: String] = [:]) throws -> String {
      try DynamicQuery(text, texts: texts).hints.joined(separator: "; ")
    }
    #expect(try hint("Tome where title like \"%sea%\"").contains("write like \"*sea*\""))
    #expect(try hint("Tome where id > 1 and not (title like[c] \"s_a\")").contains("like \"s?a\""))
    #expect(try hint("Tome where title like $p", ["p": "a\"%"]).contains("like \"a\\\"*\""))
    for text in [
      "title like \"*50%*\"", "title like \"a\"", "title contains \"%\"", "title == \"_\"",
      "id == 1",
    ] {
      #expect(try hint("Tome where " + text) == "")
    }
    #expect(try hint("Tome where title like $p", ["p": "a*"]) == "")
    // A parameter that is not there is an error where the query is run.
    #expect(try hint("Tome where title like $q") == "")
    #expect(try DynamicStatement("delete Tome where title like \"a_\"").hints.count == 1)
    #expect(try DynamicStatement("delete Tome").hints == [])
    var random = SeededGenerator(seed: 5)
    let world = try DynamicWorld(count: 40, &random)
    let store = try world.openUndeclared()
    #expect(try store.count(world.query("Tome where title like \"%ea%\"")) == 0)
    #expect(try store.count(world.query("Tome where title like \"*ea*\"")) > 0)
  }

  /// Such a query found nothing, and nothing said why.
  @Test func aRegularExpressionHasAHint() throws {
    func hints(_ text: String, _ texts: [String: String] = [:]) throws -> String {
      try DynamicQuery("Tome where " + text, texts: texts).hints.joined(separator: "; ")
    }
    let advice: [(expression: String, part: String, pattern: String?)] = [
      (".*foo", "foo", "*foo"), ("^foo", "foo", "foo*"), ("^foo$", "foo", "foo"),
      ("^.*foo bar", "foo", "*foo bar*"), ("a.+b.*", "a", "a?*b*"), ("o.*foo$", "foo", "*o*foo"),
      ("[Ff]oodles", "oodles", nil), (#"\d{4} sea"#, "sea", nil), ("cat|house", "house", nil),
      (#"\bsea\b"#, "sea", nil), ("colou?r.*", "colou", nil),
    ]
    for (expression, part, pattern) in advice {
      let query = QueryTextWriter.quoted(expression)
      for text in ["title matches \(query)", "matches \(query)", "title matches $p"] {
        let hint = try hints(text, ["p": expression])
        #expect(hint.contains("write contains \"\(part)\""), "\(expression): \(hint)")
        #expect(hint.contains(" or like ") == (pattern != nil), "\(expression): \(hint)")
        guard let pattern else { continue }
        #expect(hint.hasSuffix(" or like \"\(pattern)\""), "\(expression): \(hint)")
      }
    }
    for words in [
      "sea -salt", "\\\"a b\\\"*", "foo*", "C++", "what?", "v1.2", "a OR b", "$5 (net)", "5$",
    ] {
      #expect(try hints("title matches \"\(words)\"") == "")
    }
    #expect(try DynamicStatement("delete Tome where title matches \".*a\"").hints.count == 1)
  }

  /// A wrong text, what its error tells to type, and a text in which that is typed.
  private static let corrections: [(wrong: String, hint: String, right: String)] = [
    ("delte Coat where id == 1", "delete", "delete Coat where id == 1"),
    (
      "cuont Coat where id == 1", "Coat where id == 1 select count",
      "Coat where id == 1 select count"
    ),
    ("slect title from Coat", "Coat select title", "Coat select title"),
    ("cuont", "Coat select count", "Coat select count"),
    ("Coat where at < date(\"now\")", "now - 7d", "Coat where at < now - 7d"),
    (
      "Coat where at < date(\"now\")", "2026-06-01T09:30:00Z",
      "Coat where at < 2026-06-01T09:30:00Z"
    ),
    ("Coat where at < now()", "now", "Coat where at < now"),
    ("Coat where at < today()", "today", "Coat where at < today"),
    ("Coat where year(\"now\") == 2026", "year(at)", "Coat where year(at) == 2026"),
    ("Coat where year() == 2026", "year(at)", "Coat where year(at) == 2026"),
    (
      "Coat where start(at) == 2026-06-01", "start(at, month)",
      "Coat where start(at, month) == 2026-06-01"
    ),
    ("Coat where lower(\"a\") == \"a\"", "lower(title)", "Coat where lower(title) == \"a\""),
    ("Coat where lcase(title) == \"a\"", "lower(title)", "Coat where lower(title) == \"a\""),
    ("Coat where len(title) == 1", "length(title)", "Coat where length(title) == 1"),
    ("Coat where ifnull(score, 0) == 1", "?? 0", "Coat where (score ?? 0) == 1"),
    ("Coat where count(tags) > 1", "tags.count", "Coat where tags.count > 1"),
    ("Coat where tags = []", "tags.count = 0", "Coat where tags.count = 0"),
    ("Coat where not tags != [ ]", "tags.count != 0", "Coat where not tags.count != 0"),
    ("Coat where table == [:]", "table.count == 0", "Coat where table.count == 0"),
    ("Coat where trim.color = []", "trim.color.count = 0", "Coat where trim.color.count = 0"),
    ("Coat where numbers = [1]", "contains", "Coat where numbers contains 1"),
    ("Coat where rank = [1, 2]", "rank in [1, 2]", "Coat where rank in [1, 2]"),
    ("Coat where at > 2026-06-01 12:00", "2026-06-01T12:00", "Coat where at > 2026-06-01T12:00"),
    (
      "Coat where (at = 2026-06-01 9:30:15Z)", "2026-06-01T09:30:15Z",
      "Coat where (at = 2026-06-01T09:30:15Z)"
    ),
    (
      "update Coat set at = 2026-06-01  12:00+02:00", "2026-06-01T12:00+02:00",
      "update Coat set at = 2026-06-01T12:00+02:00"
    ),
    (
      "Coat select distinct rank", "select rank distinct by rank",
      "Coat select rank distinct by rank"
    ),
    (
      "Coat select distinct rank, title sort by rank",
      "select rank, title distinct by rank, title",
      "Coat select rank, title distinct by rank, title sort by rank"
    ),
    (
      "Coat select distinct(rank)", "select (rank) distinct by (rank)",
      "Coat select (rank) distinct by (rank)"
    ),
    (
      "Coat select distinct rank as r", "distinct by",
      "Coat select rank as r distinct by rank"
    ),
    (
      "select distinct rank from Coat", "Coat select rank distinct by rank",
      "Coat select rank distinct by rank"
    ),
    (
      "select distinct rank as r from Coat", "Coat select rank as r distinct by",
      "Coat select rank as r distinct by rank"
    ),
    (
      "Coat where at > 2026-06-01 9:30 PM", "2026-06-01T21:30:00Z",
      "Coat where at > 2026-06-01T21:30:00Z"
    ),
    (
      "Coat where at > 2026-06-01 12:00 +02:00", "2026-06-01T21:30:00Z",
      "Coat where at > 2026-06-01T21:30:00Z"
    ),
    ("Coat where title = e-book", "'e-book'", "Coat where title = 'e-book'"),
    (
      "Coat where title in [\"a\", up-to-date]", "'up-to-date'",
      "Coat where title in [\"a\", 'up-to-date']"
    ),
    ("Coat where tags contains covid-19", "'covid-19'", "Coat where tags contains 'covid-19'"),
    ("Coat where title != title-page", "'title-page'", "Coat where title != 'title-page'"),
    ("Coat where title like 2-fold", "'2-fold'", "Coat where title like '2-fold'"),
    ("update Coat set title = e-book", "'e-book'", "update Coat set title = 'e-book'"),
    ("Coat where title = Titel", "\"Titel\"", "Coat where title = \"Titel\""),
    ("Coat where title = Titel", "title", "Coat where title = title"),
    ("Coat where title = 01A2", "'01A2'", "Coat where title = '01A2'"),
    ("Coat where title = 0199b0c2-7d", "'0199b0c2-7d'", "Coat where title = '0199b0c2-7d'"),
    ("Coat where grade == \"high\"", "high", "Coat where grade == high"),
    ("Coat where grade in [\"high\"]", "high", "Coat where grade in [high]"),
    ("Coat where grade == \"hgh\"", "high", "Coat where grade == high"),
    ("Coat where grades contains \"high\"", "high", "Coat where grades contains high"),
    ("update Coat set grade = \"high\"", "high", "update Coat set grade = high"),
    ("update Coat set grades = [\"high\"]", "high", "update Coat set grades = [high]"),
    ("update Coat set grades = \"high\"", "[low]", "update Coat set grades = [low]"),
    ("update Coat set tags = [a]", "\"a\"", "update Coat set tags = [\"a\"]"),
    ("update Coat set tags = a", "\"a\"", "update Coat set tags = [\"a\"]"),
    ("update Coat set tags = \"a\"", "[\"milk\"]", "update Coat set tags = [\"milk\"]"),
    ("update Coat set tags = \"a\"", "[]", "update Coat set tags = []"),
    ("update Coat set numbers = 3", "[12]", "update Coat set numbers = [12]"),
    ("update Coat set numbers = [a]", "12", "update Coat set numbers = [12]"),
    ("update Coat set table = 3", "[\"a\": 12]", "update Coat set table = [\"a\": 12]"),
    ("update Coat set table = 3", "[:]", "update Coat set table = [:]"),
    ("update Coat set table = [1: 2]", "[\"a\": 12]", "update Coat set table = [\"a\": 12]"),
    ("update Coat set title = [\"a\"]", "\"milk\"", "update Coat set title = \"milk\""),
    ("update Coat set score = none", "nil", "update Coat set score = nil"),
    ("update Coat set at = date(\"now\")", "now - 7d", "update Coat set at = now - 7d"),
    ("update Coat set at = later", "now - 7d", "update Coat set at = now - 7d"),
    (
      "update Coat set rank = 1 and isSold = true", "comma",
      "update Coat set rank = 1, isSold = true"
    ),
    ("update Coat set title == \"a\"", "=", "update Coat set title = \"a\""),
    (
      "update Coat set rank = 1 where id == 1", "update Coat where id == 1 set rank = 1",
      "update Coat where id == 1 set rank = 1"
    ),
    (
      "update Coat set rank = 1, title = \"a  b\" where id == 1",
      "update Coat where id == 1 set rank = 1, title = \"a  b\"",
      "update Coat where id == 1 set rank = 1, title = \"a  b\""
    ),
    ("update Coat id == 1 set rank = 1", "where", "update Coat where id == 1 set rank = 1"),
    ("update Coat wher id == 1 set rank = 1", "where", "update Coat where id == 1 set rank = 1"),
    ("delete Coat id == 1", "where", "delete Coat where id == 1"),
    ("delete Coat (id == 1)", "where", "delete Coat where (id == 1)"),
    ("insert Tailor (name) values (\"a\")", "insert Tailor {", "insert Tailor {name: \"a\"}"),
    ("insert Tailor set name = \"b\"", "insert Tailor {", "insert Tailor {name: \"b\"}"),
  ]

  /// Some advice led to another error when it was typed.
  @Test func whatAnErrorTellsToTypeIsRead() throws {
    let world = try DynamicWriteWorld()
    func perform(_ text: String) throws {
      if DynamicStatement.isStatement(text) {
        let statement = try DynamicStatement(text)
        try world.dynamic.write { tx in _ = try tx.perform(statement) }
      } else {
        _ = try world.dynamic.fetch(DynamicQuery(text))
      }
    }
    for (wrong, hint, right) in Self.corrections {
      let error = #expect(throws: QueryTextError.self, "\(wrong)") { try perform(wrong) }
      #expect(error?.reason.contains(hint) == true, "\(wrong): \(error?.reason ?? "")")
      #expect(right.contains(hint) || hint == "comma")
      #expect(throws: Never.self, "\(right)") { try perform(right) }
    }
  }

  /// An error named the property, and not what could be written for it.
  @Test func whatAnInsertLacksIsToldWithAValue() throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "shirts.croft")
    _ = try Store.open(
      at: url, models: Tailor.self, Coat.self, Stitch.self, Shirt.self, options: .forTests)
    let store = try Store.open(at: url, models: [], options: .storedModels)
    for (model, count) in [("Tailor", 1), ("Coat", 3), ("Stitch", 3), ("Shirt", 3)] {
      var assignments: [String] = []
      while true {
        let text = "insert \(model) {\(assignments.joined(separator: ", "))}"
        do {
          let statement = try DynamicStatement(text)
          try store.write { tx in _ = try tx.perform(statement) }
          break
        } catch let error as QueryTextError {
          let parts = error.reason.split(separator: "as in ")
          let advice = String(try #require(parts.last))
          #expect(parts.count == 2 && !assignments.contains(advice), "\(text): \(error.reason)")
          assignments.append(advice)
          if assignments.count > count { break }
        }
      }
      #expect(assignments.count == count, "\(assignments)")
      #expect(try store.count(DynamicQuery(model)) == 1)
      if model == "Shirt" { #expect(assignments.contains("made: now")) }
    }
  }

  /// A difference of properties has hyphens, too.
  @Test func aDifferenceOfPropertiesIsRead() throws {
    let world = try DynamicWriteWorld()
    for text in ["rank = rank-1", "score-1 < 2", "rank-rank = 0", "title = 'rank-title'"] {
      #expect(throws: Never.self) { try world.dynamic.fetch(DynamicQuery("Coat where " + text)) }
    }
    for text in ["rank = e-book", "title = e - book", "title = rank-1"] {
      let error = #expect(throws: QueryTextError.self) {
        try world.dynamic.fetch(DynamicQuery("Coat where " + text))
      }
      #expect(error?.reason.contains("quotes") == false, "\(text)")
    }
    for text in ["select distinct", "select distinct as d", "select distinct, title limit 1"] {
      let error = #expect(throws: QueryTextError.self) {
        try world.dynamic.fetch(DynamicQuery("Coat " + text))
      }
      #expect(error?.reason.contains("has no property distinct") == true, "\(text)")
    }
  }

  /// The examples of words of other languages are parts of texts that are read.
  @Test func theExamplesOfForeignWordsAreRead() throws {
    let tables =
      ForeignQueryWords.longSigns.map(\.advice) + ForeignQueryWords.signs.map(\.advice)
      + Array(ForeignQueryWords.operators.values) + Array(ForeignQueryWords.clauses.values)
      + Array(ForeignQueryWords.functions.values)
    var count = 0
    for advice in tables {
      guard let range = advice.firstRange(of: "as in ") else { continue }
      let example = String(advice[range.upperBound...])
      let isRead = ["Tome " + example, "Tome where " + example, "Tome where a == " + example]
        .contains {
          (try? DynamicQuery($0)) != nil
        }
      #expect(isRead || (try? DynamicQuery("Tome where \(example) == 1")) != nil, "\(advice)")
      count += 1
    }
    #expect(count > 5)
  }

  /// The backslash was lost, and a text was stored without it.
  @Test func aBackslashThatBeginsNoEscapeIsRefused() throws {
    for text in [#""C:\data""#, #"'a\d'"#, #""\u{41}""#, #""\0""#] {
      let error = #expect(throws: QueryTextError.self) {
        try DynamicStatement("update Tome set title = \(text)")
      }
      #expect(error?.reason.contains("backslash") == true)
    }
    for (text, value) in [
      (#""a\n\r\t\\\"'""#, "a\n\r\t\\\"'"), (#"'\'"'"#, "'\""), (#""C:\\data""#, #"C:\data"#),
    ] {
      var parser = try QueryParser(text)
      guard case .single(let syntax) = try parser.wholeValue(),
        case .literal(.text(let read)) = syntax.kind
      else {
        Issue.record("\(text) is not read as a text")
        continue
      }
      #expect(read == value)
    }
  }

  /// The name of a case in quotes was compared as a raw value, which finds nothing.
  @Test func aNameOfACaseInQuotesIsRefusedWhereItIsNoRawValue() throws {
    let folder = TemporaryFolder()
    let store = try DynamicWriteWorld.open(folder.url.appending(path: "world.croft"))
    try store.write {
      try $0.insert(Coat(id: 1, title: "a", fabric: .silk, trim: Trim(color: "", size: nil)))
    }
    func count(_ text: String, _ texts: [String: String] = [:]) throws -> Int {
      try store.fetch(DynamicQuery("Coat where " + text, texts: texts)).count
    }
    #expect(try count("fabric = silk") == 1)
    #expect(try count("fabric = \"S\"") == 1)
    #expect(throws: QueryTextError.self) { try count("fabric = \"silk\"") }
    for list in ["[silk]", "[\"silk\"]", "[\"S\", wool]"] {
      #expect(try count("fabric in $f", ["f": list]) == 1)
    }
    // Another program may have written it.
    #expect(try count("fabric = \"felt\"") == 0)
  }
}
