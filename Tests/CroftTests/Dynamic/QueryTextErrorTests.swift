import Foundation
import TestSupport
import Testing

@testable import Croft

/// Errors of texts name the place, and what would fit there.
@Suite struct QueryTextErrorTests {
  /// A text with a mark before the place, and a part of the reason.
  private static let texts: [(String, String)] = [
    ("^", "begins with the name of a model"),
    ("Tome where ^", "a property or a value is missing before the end"),
    ("Tome ^wher year == 1", "\"wher\" does not fit here"),
    ("^Tom where year == 1", "it has Tome"),
    ("Tome where ^yeer == 1", "no property yeer; it has year"),
    ("Tome where writer.^nam == \"a\"", "Scribe has no property nam; it has name"),
    ("Tome where year == ^\"old\"", "year is int32: compare it with a whole number"),
    ("Tome where year == ^2.5", "whole number, such as 2"),
    ("Tome where title == ^3", "compare it with a text"),
    ("Tome where lentAt > ^2026-13-01", "is no date"),
    ("Tome where ^year", "a condition is expected"),
    ("Tome where year = = 1", "missing before"),
    ("Tome where (year == 1^", "\")\" is missing before the end"),
    ("Tome where title == ^\"open", "has no end"),
    ("Tome where year == 1 ^year", "does not fit here"),
    ("Tome where tags == ^\"a\"", "is not compared: write contains"),
    ("Tome where tags > ^\"a\"", "is not compared: write contains"),
    ("Tome where ^year any (it == 1)", "follows a collection"),
    ("Tome where title == ^$1", "there is no value for $1"),
    ("Tome where ^#", "is no sign"),
    ("Tome sort by ^tags", "has no order"),
    ("Tome limit ^many", "whole number"),
    ("Tome limit ^$1", "no value for $1"),
    ("Tome limit 1 offset ^$n", "no value for $n"),
    ("Tome where tags == ^[]", "write tags.count == 0"),
    ("Tome where lentAt > ^2026-06-01 12:00", "write 2026-06-01T12:00"),
    ("Tome select ^distinct year", "write select year distinct by year"),
    ("Tome where title == ^e-book", "'e-book'"),
    ("Tome where title == ^titel", "it has title; a text is in quotes, \"titel\""),
    ("Tome where title == ^01A2", "'01A2'"),
    ("Tome select ^title, count", "add it to \"group by\""),
    ("Tome where ^floor(price) == 1", "there is no function floor"),
    ("Tome where notes == ^1", "is not compared"),
    ("Tome where ^binding == 1", "is a struct"),
    ("Tome where lentAt == ^7d", "is added to now"),
    ("Scribe where ^Tome.writer == 1", "several objects"),
    ("Tome where ^Scribe.name == 1", "does not refer to Tome"),
    ("Tome where year == ^7q", "neither a number nor a length of time"),
    // The executor compares elements as they are: these gave wrong objects, and no error.
    ("Tome where tags any (^length(it) > 1)", "no arithmetic and no function"),
    ("Tome where scores none (^it * 2 > 10)", "no arithmetic and no function"),
    ("Tome where readers any (^lower(it.name) == \"bo\")", "no arithmetic and no function"),
    ("Tome where readers all (it.name.^count > 2)", "no arithmetic and no function"),
    // These were false for all objects.
    ("Tome where year == ^nil", "year is never nil"),
    ("Tome where binding.pages != ^nil", "binding.pages is never nil"),
    ("Tome where tags.count == ^nil", "never nil"),
    ("Tome where price < ^nil", "nil has no order"),
    ("Tome where tags contains ^nil", "it is never nil"),
    ("Tome where ^cover in [nil]", "a struct is compared with nil"),
    ("Tome where lentAt == ^2026-06-01T09:30+00:99", "is no date"),
    // Of these the numbers were taken, and the rest was lost.
    ("Tome where lentAt == ^\"2026-11-28 09:30 PM\"", "is no date"),
    ("Tome where lentAt == ^\"2026-06-01T9:30:00-12:00\"", "is no date"),
    ("Tome where lentAt == ^\"on 2026 at 6 and 1\"", "is no date"),
    ("Tome where lentAt == 2026-06-01T09:30^.5", "does not fit here"),
    ("Tome where ^qq == 1", "it has 21, among them id"),
    // What users of other languages write: the error tells what to write here.
    ("^SELECT * FROM Tome", "write Tome"),
    ("^SELECT title, year FROM Tome WHERE year > 2000", "write Tome select title, year"),
    ("^select from Tome", "write Tome"),
    ("^select title", "select comes after it"),
    ("^from Tome where year == 1", "leave out \"from\" before Tome"),
    // Misspelt first words were taken for models.
    ("^delte Tome where year == 1", "write delete"),
    ("^udpate Tome set year = 1", "write update"),
    ("^isnert Tome {id: 1}", "write insert"),
    ("^slect * from Tome", "write Tome"),
    ("^slect title from Tome", "write Tome select title"),
    ("^cuont Tome where year == 1", "write Tome where year == 1 select count"),
    ("^cuont Tome where year is 1", "write Tome select count"),
    ("^count(Tome)", "write Tome select count"),
    ("^delte", "write delete and the name of a model"),
    ("^isnert where year == 1", "write insert and the name of a model"),
    ("^cuont", "as in Scribe select count"),
    ("^slect", "as in Scribe select count"),
    ("^Tmoe where year == 1", "it has Tome"),
    ("db^.Tome.find(1)", "begin with the name of a model"),
    ("Tome^.find({year: 1})", "a condition follows where"),
    ("Tome ^{year: 1}", "a condition follows where"),
    ("Tome ^year == 1", "write where before a condition"),
    ("Tome ^title contains \"a\"", "write where before a condition"),
    ("Tome where ^{year: {$gt: 1}}", "not in braces"),
    ("Tome where year ^$gt 1", "use >"),
    ("Tome where year ^gte 1", "use >="),
    ("Tome where title ^~= \"a\"", "use =="),
    ("Tome where title ^=~ \"a\"", "use like"),
    ("Tome where title ^=== \"a\"", "use =="),
    ("Tome where year ^=> 1", "use >="),
    ("Tome where year ^≤ 1", "use <="),
    ("Tome where year > 1 ^& year < 2", "write and instead"),
    ("Tome where year > 1 ^| year < 2", "write or instead"),
    ("Tome where year > 1^, year < 2", "joined with and or or"),
    ("Tome where 1 < year ^< 2", "two sides"),
    ("Tome where year == 1 ^where year == 2", "join conditions with and"),
    ("Tome where title == ^“a”", "straight quotes"),
    ("Tome where title == ^%@", "a parameter: $1"),
    ("Tome where title == ^?", "a parameter: $1"),
    ("Tome where price ^is null", "use == nil"),
    ("Tome where price ^is not null", "use != nil"),
    ("Tome where price ^not null", "use != nil"),
    ("Tome where year ^is 3", "use =="),
    ("Tome where title ^not like \"a\"", "comes before the property"),
    ("Tome where title ^ilike \"a\"", "like[c]"),
    ("Tome where title ^hasPrefix \"a\"", "use beginsWith"),
    ("Tome where title ^contain \"a\"", "use contains"),
    ("Tome where title ^frobs \"a\"", "there are ==, !="),
    ("Tome where ^ANY tags == \"a\"", "tags any (it == ...)"),
    ("Tome where tags any (^== \"a\")", "any (it == ...)"),
    ("Tome where \"a\" in ^tags", "tags contains \"a\""),
    ("Tome where tags^[0] == \"a\"", "elements have no numbers"),
    ("Tome where tags.^@count > 1", "leave it out"),
    ("Tome where tags ^beginsWith \"a\"", "any (...)"),
    ("Tome where year ^contains \"19\"", "use ==, !=, <, <=, >, >=, in or between"),
    ("Tome where year == ^\"1999\"", "compare it with a whole number, 1999"),
    ("Tome where title == ^Sea", "put a text into quotes, \"Sea\""),
    ("Tome where title contains ^Sea", "put a text into quotes, \"Sea\""),
    ("Tome where title in [^Sea]", "put a text into quotes, \"Sea\""),
    ("Tome where shelf == ^low", "compare it with a whole number"),
    ("Tome where price == ^none", "write nil"),
    ("Tome where writer == ^\"Bo\"", "compare it with its key, or write writer.name"),
    ("Tome where ^SELF.year == 1", "leave out \"SELF.\""),
    ("Tome where ^$0.year == 1", "leave out \"$0.\""),
    ("Tome where title.^length > 1", "write length(title)"),
    ("Tome where title.^lowercased == \"a\"", "write lower(title)"),
    ("Tome where ^title", "title is string: use =="),
    ("Tome where ^tags", "use contains"),
    ("Tome sort by ^-title", "sort by title desc"),
    ("Tome sort by title desc ^year", "write a comma before it"),
    ("Tome select ^*", "leave it out"),
    ("Tome select count(^*)", "write count alone"),
    ("Tome group by year ^having count > 1", "groups are not filtered"),
    ("Tome ^join Scribe", "author.name"),
    ("Tome limit 2^, 3", "limit 10 offset 20"),
    ("Tome ^offset 3", "it follows limit"),
    ("Tome limit 2 ^limit 3", "is there already"),
    ("Tome where year == 1 ^then", "what may follow is and, or, select"),
  ]

  @Test func theErrorNamesThePlaceAndWhatWouldFit() throws {
    var random = SeededGenerator(seed: 2)
    let world = try DynamicWorld(count: 1, &random)
    let store = try world.openUndeclared()
    for (marked, reason) in Self.texts {
      let parts = marked.split(separator: "^", omittingEmptySubsequences: false)
      let text = parts.joined()
      let error = #expect(throws: QueryTextError.self, "\(text)") {
        _ = try store.fetch(world.query(text))
      }
      guard let error else { continue }
      #expect(error.query == text)
      #expect(error.reason.contains(reason), "\(text): \(error.reason)")
      if parts.count > 1, !reason.isEmpty {
        #expect(error.position == parts[0].unicodeScalars.count, "\(text): \(error.reason)")
      }
    }
  }

  @Test func theCaretIsBelowThePlaceAlsoAfterWideLetters() {
    let error = QueryTextError("wrong", at: 15, in: "Tome where \"집\" ?")
    #expect(
      error.description == "wrong\nTome where \"집\" ?\n" + String(repeating: " ", count: 16) + "^")
    let second = QueryTextError("wrong", at: 7, in: "Tome\n  x")
    #expect(second.description == "wrong\n  x\n  ^")
  }

  /// The whole line was shown, of up to 65,536 characters.
  @Test func ofALongLineIsShownWhatIsNear() {
    let long = String(repeating: "a", count: 300)
    let error = QueryTextError("wrong", at: 301, in: "x\n" + long + "^" + long + "\ny")
    let shown = String(repeating: "a", count: 200)
    let near = "..." + shown.dropLast() + "a" + "^" + shown.dropLast() + "..."
    let lines = error.description.split(separator: "\n")
    #expect(lines.count == 3 && lines[1].hasPrefix("...a") && lines[1].hasSuffix("a..."))
    #expect(lines[1].count == near.count)
    let place = lines[2].count - 1
    #expect(Array(lines[1])[place + 1] == "^")
    let start = QueryTextError("wrong", at: 1, in: long + long)
    #expect(start.description == "wrong\n" + String(repeating: "a", count: 201) + "...\n ^")
  }

  @Test func nestingAndLengthAreBounded() {
    let deep = String(repeating: "(", count: 5_000) + "1"
    let chain = "Tome where year " + String(repeating: "+ 1 ", count: 5_000) + "> 1"
    let nots = "Tome where " + String(repeating: "not ", count: 5_000) + "isLent"
    let long = "Tome where title == \"" + String(repeating: "a", count: 70_000) + "\""
    for text in ["Tome where " + deep, chain, long] {
      #expect(throws: QueryTextError.self) { _ = try DynamicQuery(text) }
    }
    #expect(throws: Never.self) { _ = try DynamicQuery(nots) }
    // The product of both kinds of nesting was not bounded, and ended the process.
    for (levels, links) in [(24, 31), (2, 31), (32, 2), (1, 40), (1, 45)] {
      var value = "year"
      for _ in 0..<levels {
        let chain = "(" + value + String(repeating: " * 1", count: links)
        value = chain + String(repeating: " + 1", count: links) + ")"
      }
      for text in ["where \(value) > 0", "select \(value)", "sort by \(value)"] {
        #expect(throws: QueryTextError.self, "\(levels) \(links)") {
          var random = SeededGenerator(seed: 3)
          let world = try DynamicWorld(count: 1, &random)
          _ = try world.openUndeclared().fetch(world.query("Tome " + text))
        }
      }
    }
    let terms = (0..<2_000).map { "year == \($0)" }.joined(separator: " or ")
    #expect(throws: Never.self) { _ = try DynamicQuery("Tome where " + terms) }
  }

  /// Each reference is a level of the test of a condition, so that a long path ended the process.
  @Test func aPathHasSoManyNames() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(at: folder.url.appending(path: "p.croft"), models: Ancestor.self)
    try store.write { tx in
      try tx.insert(contentsOf: (1...40).map { Ancestor(id: $0, parent: Ref($0 % 40 + 1)) })
    }
    let longest = String(repeating: "parent.", count: QueryParser.depthMax - 1) + "id"
    for text in [
      "where PATH == 1", "where PATH == nil", "select PATH", "sort by PATH",
      "where friends any (PATH == 1)",
    ] {
      let query = "Ancestor " + text.replacing("PATH", with: longest)
      #expect(throws: Never.self, "\(text)") { try store.fetch(DynamicQuery(query)) }
      let error = #expect(throws: QueryTextError.self, "\(text)") {
        try DynamicQuery("Ancestor " + text.replacing("PATH", with: "parent." + longest))
      }
      #expect(error?.reason.contains("at most 32 names") == true)
    }
    #expect(try store.count(DynamicQuery("Ancestor where \(longest) == 32")) == 1)
  }

  @Test func asManyLevelsAsAreAllowedAreRead() throws {
    var random = SeededGenerator(seed: 4)
    let world = try DynamicWorld(count: 5, &random)
    let store = try world.openUndeclared()
    let brackets = String(repeating: "(", count: QueryParser.depthMax)
    let closed = brackets + "year > 0" + String(repeating: ")", count: QueryParser.depthMax)
    let chain = "year" + String(repeating: " + 0", count: QueryParser.depthMax) + " > 0"
    for text in [closed, chain] {
      #expect(try store.count(world.query("Tome where " + text)) == 5)
      #expect(throws: QueryTextError.self) {
        let more = text.replacing(" > 0", with: " + 0 > 0")
        _ = try store.count(world.query("Tome where (" + more + ")"))
      }
    }
    // Blanks before a name were counted again for each selection.
    let wide = "Tome select id" + String(repeating: " ", count: 60_000) + ", title"
    #expect(try store.fetch(world.query(wide)).count == 5)
    let many = "Tome select " + Array(repeating: "id", count: 15_000).joined(separator: ", ")
    #expect(throws: Never.self) { try DynamicQuery(many) }
  }

  /// Texts with scalars removed, doubled, exchanged and replaced are queries or errors, and nothing else.
  @Test func anyTextIsAQueryOrAnError() throws {
    var random = SeededGenerator.forTest("anyTextIsAQueryOrAnError")
    let world = try DynamicWorld(count: 3, &random)
    let store = try world.openUndeclared()
    let texts =
      Self.texts.map { $0.0.filter { $0 != "^" } } + DynamicQueryTests.pairs.map(\.text) + [
        "Tome where tags any (it beginsWith \"a\") and writer.name contains[cd] \"집\" sort by year desc limit 2",
        "Tome where lentAt > now - 7d select shelf, sum(copies) as n group by shelf sort by count desc",
        "Scribe where Tome.writer any (year in [1, 2]) and Tome.writer.count >= 1",
        "Tome where cost between 1.5 and 1e3 and bytes != x'00' and code == 00000000-0000-0000-0000-000000000007",
      ]
    let scalars: [Unicode.Scalar] = [
      "(", ")", "\"", ".", "[", "]", "-", "0", "a", " ", "$", "\u{0}", "집", "=", "\u{301}",
    ]
    var answered = 0
    for _ in 0..<3_000 {
      var text = Array(random.pick(texts).unicodeScalars)
      for _ in 0...random.below(2) where !text.isEmpty {
        let place = random.below(text.count)
        switch random.below(4) {
        case 0: text.remove(at: place)
        case 1: text.insert(random.pick(scalars), at: place)
        case 2: text[place] = random.pick(scalars)
        default: text.swapAt(place, random.below(text.count))
        }
      }
      let written = String(String.UnicodeScalarView(text))
      do {
        _ = try store.fetch(world.query(written))
        answered += 1
      } catch is QueryTextError {
      } catch let error as StoreError {
        Issue.record("\(error) of \(written), seed \(random.seed)")
      }
    }
    // Most of the texts are wrong before they are changed.
    #expect(answered > 10)
  }
}

@Model struct Ancestor {
  @PrimaryKey var id: Int
  var parent: Ref<Ancestor>?
  var friends: [Ref<Ancestor>] = []
}
