import Croft
import Foundation
import PageServerTesting
import Testing

@testable import CroftStudio

/// How objects are reached by their keys, and those that refer to them.
struct ObjectKeyTests {
  /// Browsers take dots out of paths, and an empty text leaves no path.
  @Test func everyTextIsAKeyThatIsReached() throws {
    let texts = ["", ".", "..", "~", "~.", "a/b", "a,b", "%2E", " ", "우유", "?#", "..."]
    let studio = try TestStudio { tx in
      for text in texts { try tx.insert(Word(text: text)) }
    }
    let objects = try studio.page("/models/Word").objects
    #expect(objects.count == texts.count)
    for (object, text) in zip(objects, texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    {
      // As a browser does before it asks.
      let url = try #require(URL(string: studio.server.origin + object)?.standardized)
      #expect(url.absoluteString == studio.server.origin + object)
      let page = try studio.page(object)
      #expect(page.status == 200 && page.text.contains("<h1>Word"), "\(object)")
      #expect(
        ObjectKey(path: String(object.dropFirst("/models/Word/objects/".count)))?.texts == [text])
    }
  }

  @Test func anEmptyKeyIsSeenWhereItIsALink() throws {
    let studio = try TestStudio { tx in
      try tx.insert(Word(text: ""))
      try tx.insert(Word(text: "a", earlier: Ref(Word(text: ""))))
    }
    let page = try studio.page("/models/Word")
    #expect(
      page.text.contains(#"<a class="object" href="/models/Word/objects/~">&quot;&quot;</a>"#))
    #expect(
      page.text.contains(#"<a class="target" href="/models/Word/objects/~">&quot;&quot;</a>"#))
    #expect(try studio.page("/models/Word/objects/~").text.contains("<h1>Word &quot;&quot;</h1>"))
  }

  @Test func referencesToCompoundKeysAreLinks() throws {
    let studio = try TestStudio { tx in
      let matches = [Match(league: "a,b", number: -1), Match(league: "", number: 2)]
      let goal = Goal(match: Ref(matches[0]), minute: 90, film: Data([1, 2, 3]))
      for match in matches { try tx.insert(match) }
      try tx.insert(goal)
      try tx.insert(Assist(id: 1, goal: Ref(goal), matches: matches.map { Ref($0) }))
      try tx.insert(Assist(id: 2))
    }
    let goal = "/models/Goal/objects/a%2Cb,-1,90"
    let matches = ["/models/Match/objects/a%2Cb,-1", "/models/Match/objects/~,2"]
    let assist = try studio.page("/models/Assist/objects/1")
    for address in [goal] + matches {
      #expect(assist.addresses.contains(address), "\(address)")
      #expect(try studio.page(address).status == 200)
    }
    #expect(try studio.page("/models/Assist").addresses.contains(goal))
    // Back, by the bytes of the key.
    for (address, property) in [
      (goal, "Assist.goal"), (matches[1], "Assist.matches"), (matches[0], "Goal.match"),
    ] {
      let page = try studio.page(address)
      #expect(page.text.contains(">\(property)</a>: 1<"), "\(property)")
      let back = try #require(page.addresses.first { $0.contains("query=") })
      #expect(try studio.page(back).status == 200)
    }
    let film = try #require(try studio.page(goal).addresses.first { $0.contains("/values/") })
    #expect(try studio.page(film).headers["content-length"] == "3")
  }

  @Test func referencesInDictionariesAreLinks() throws {
    let studio = try TestStudio { tx in
      let shelf = Shelf(id: 7, name: "shelf")
      try tx.insert(shelf)
      try tx.insert(Assist(id: 1, shelves: ["left <b>": Ref(shelf)]))
    }
    let page = try studio.page("/models/Assist/objects/1")
    #expect(
      page.text.contains(#"left &lt;b&gt;: <a class="target" href="/models/Shelf/objects/7">7</a>"#)
    )
    #expect(try studio.page("/models/Shelf/objects/7").text.contains(">Assist.shelves</a>: 1<"))
  }
}
