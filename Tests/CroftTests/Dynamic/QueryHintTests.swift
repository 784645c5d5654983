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
      "title like \"*50%*\"", "title like \"a\"", "title contains \"%\"", "title == \"_\"", "id == 1",
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
}
