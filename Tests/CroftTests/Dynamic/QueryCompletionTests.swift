import Foundation
import TestSupport
import Testing

@testable import Croft

/// Completions have what the grammar takes at the end of a text, and what the file has.
@Suite struct QueryCompletionTests {
  private static func texts(_ text: String, in store: Store) throws -> [String] {
    try store.completions(of: text).candidates.map(\.text)
  }

  /// The error of a text as a query or a statement, if it cannot be read.
  private static func error(of text: String) -> QueryTextError? {
    do throws(QueryTextError) {
      if DynamicStatement.isStatement(text) {
        _ = try DynamicStatement(text)
      } else {
        _ = try DynamicQuery(text)
      }
      return nil
    } catch {
      return error
    }
  }

  /// Texts are made of candidates and literals at random: no error is before the end of a candidate.
  @Test func aCandidateIsReadAsAPartOfTheText() throws {
    let world = try DynamicWriteWorld()
    defer { withExtendedLifetime(world) {} }
    let store = world.dynamic
    let literals = ["1", "\"a\"", "-2.5", "2026-06-01", "x\"00\"", "(", ")", ",", "[", "]", "}"]
    var random = SeededGenerator()
    var (count, kinds): (Int, Set<QueryCompletion.Kind>) = (0, [])
    for _ in 0..<400 {
      var text = ""
      for _ in 0..<24 {
        let completion = try store.completions(of: text)
        guard !completion.candidates.isEmpty, !random.oneIn(6) else {
          text += random.pick(literals) + " "
          continue
        }
        let candidate = random.pick(completion.candidates)
        // What was typed of it so far finds it too.
        let typed = text + candidate.text.prefix(random.below(candidate.text.count))
        let part = typed.dropFirst(text.count)
        // After a blank or a point the word is a later one.
        if part.last?.isLetter ?? false, !part.contains(" "), !part.contains(".") {
          let found = try store.completions(of: typed)
          #expect(found.candidates.contains(candidate), "\(random.seed): \(typed) \(candidate)")
          #expect(typed.hasSuffix(found.word), "\(random.seed)")
        }
        text = String(text.dropLast(completion.word.count)) + candidate.text
        if let error = Self.error(of: text) {
          #expect(
            error.position >= text.unicodeScalars.count && error.isUnfinished,
            "\(random.seed): \(error)")
          if error.position < text.unicodeScalars.count { break }
        }
        (count, _) = (count + 1, kinds.insert(candidate.kind))
        if candidate.kind == .reference, random.oneIn(2) {
          text += "."
        } else if candidate.kind != .function {
          text += " "
        }
      }
    }
    #expect(count > 1_000 && kinds.count == 7, "\(random.seed): \(count) \(kinds)")
  }

  /// Each word of the texts of other tests is offered where it is, but for literals and other spellings.
  @Test func eachWordOfATextIsOffered() throws {
    var random = SeededGenerator(seed: 5)
    let world = try DynamicWorld(count: 3, &random)
    defer { withExtendedLifetime(world) {} }
    let store = try world.openUndeclared()
    let others: Set<String> = ["null", "true", "cd", "c", "d"]
    let more = [
      "Tome where matches any", "Scribe where Tome.writer any (isLent)", "Scribe select name as n",
      "Scribe where Tome.readers.count > 2", "Tome select year, count, sum(copies) group by year",
      "Tome distinct by year sort by writer.name desc, year asc limit 3 offset 2",
      "Tome where readers all (it.name == \"a\" or born > now - 3d)",
      "Tome select start(lentAt, month), year(lentAt) sort by lower(title)",
      "update Tome where not isLent set binding.color = \"red\", lentAt = today",
      "insert Tome {id: 3, title: \"a\"}", "delete Tome where cover == nil",
    ]
    for text in DynamicQueryTests.pairs.map(\.text) + more {
      let scalars = Array(text.unicodeScalars)
      for token in try QueryLexer.tokens(of: text) {
        guard case .name(let name) = token.kind, !others.contains(name.lowercased()) else {
          continue
        }
        if name == "n" || name == "false" && text.contains("not false") { continue }
        if name == "matches" || text == "Tome where matches any" && name == "any" { continue }
        let before = String(String.UnicodeScalarView(scalars[..<token.position]))
        let offered = try Self.texts(before, in: store)
        let names = offered.flatMap { $0.split { " .:=(".contains($0) }.map(String.init) }
        #expect(names.contains { $0.lowercased() == name.lowercased() }, "\(before)|\(name)")
        let typed = before + name.prefix(1).uppercased()
        let found = try Self.texts(typed, in: store)
        if offered.contains(name) { #expect(found.contains(name), "\(typed)") }
      }
    }
  }

  /// The candidates of each kind of place, by the models of the file.
  @Test func theModelsSayWhatIsOffered() throws {
    let world = try DynamicWriteWorld()
    defer { withExtendedLifetime(world) {} }
    let store = world.dynamic
    func offered(_ text: String) throws -> [String] { try Self.texts(text, in: store) }
    #expect(try offered("") == ["Coat", "Stitch", "Tailor", "insert", "update", "delete"])
    #expect(try offered("ta") == ["Tailor"])
    #expect(try offered("Coat where gr") == ["grade", "grades"])
    #expect(try offered("Coat where owner.") == ["id", "name", "chief"])
    #expect(try offered("Coat where owner.chief.n") == ["name"])
    #expect(try offered("Coat where trim.") == ["color", "size"])
    #expect(try offered("Coat where grade == ").prefix(3) == ["low", "mid", "high"])
    #expect(try offered("Coat where grade in [mid, ") == ["low", "mid", "high"])
    #expect(try offered("Coat where isSold == ").prefix(2) == ["true", "false"])
    #expect(try offered("Coat where fabric == s").first == "silk")
    #expect(try offered("Coat where at > ").prefix(3) == ["now", "today", "nil"])
    #expect(try offered("Coat where tags ") == ["contains", "any", "all", "none"])
    #expect(try offered("Coat where grades any (it == ").prefix(3) == ["low", "mid", "high"])
    #expect(try offered("Coat where others any (na") == ["name"])
    #expect(try offered("Tailor where Coat.") == ["owner", "others"])
    #expect(try offered("Tailor where Coat.owner ") == ["any", "all", "none"])
    #expect(try offered("Tailor where Coat.owner any (isS") == ["isSold"])
    #expect(try offered("Coat where rank ").prefix(4) == ["==", "!=", "<", "<="])
    #expect(!(try offered("Coat where rank ").contains("and")))
    #expect(try offered("Coat where isSold ").contains("and"))
    #expect(try offered("Coat where rank > 1 ").contains("select"))
    #expect(try offered("Coat sort ") == ["by"])
    #expect(try offered("Coat where rank not ") == ["in"])
    #expect(try offered("insert Stitch {row: 1, ") == ["name:", "number:"])
    #expect(try offered("insert Coat {fabric: ") == ["wool", "silk", "nil"])
    #expect(try offered("update Coat set isS") == ["isSold ="])
    #expect(try offered("update Coat set trim.").contains("color ="))
    #expect(try offered("Coat where title == \"ow") == [])
    #expect(try offered("Coat where wrong wo") == [])
    #expect(try offered("Vest where ") == [])
    let completion = try store.completions(of: "Coat where owner.NA")
    #expect(completion.word == "NA")
    #expect(completion.candidates == [QueryCompletion.Candidate(text: "name", kind: .property)])
  }

  @Test func aTextThatEndsTooEarlyIsUnfinished() {
    for text in [
      "", "Tome where", "Tome where (year == 1", "Tome where title == \"a", "insert Tome {",
      "Tome where year ==", "update Tome set", "Tome sort", "Tome where year in [1,",
      "Tome where `a",
    ] {
      #expect(Self.error(of: text)?.isUnfinished == true, "\(text)")
      #expect(Self.error(of: text + "\n")?.isUnfinished == true, "\(text)")
    }
    for text in ["Tome wher", "Tome where )", "Tome where year == = 1", "Tome where # \"", "1"] {
      #expect(Self.error(of: text)?.isUnfinished == false, "\(text)")
    }
  }
}
