import Croft
import Foundation
import Testing

/// The code of the article about search, and its table.
@Suite struct SearchSnippets {
  @Model struct Errand: Hashable {
    @PrimaryKey var id: Int
    var title: String
    var note = ""
    var tags: [String] = []
  }

  @Model struct Note {
    @PrimaryKey var id: UUID = .timeOrdered()
    var title: String
    var body: String?
    var tags: [String] = []
    #FullText<Note>([\.title, \.body, \.tags])
  }

  @Model struct Article {
    @PrimaryKey var id: UUID = .timeOrdered()
    var title: String
    var body = ""
    var kind = 0
    var createdAt = Date.now
    #FullText<Article>([\.title[weight: 4], \.body])
  }

  @Test func theMostRelevantAreFirst() throws {
    let ids = (0..<4).map { _ in UUID.timeOrdered() }
    let day = Date(timeIntervalSince1970: 0)
    try withStore(of: Article.self) { store in
      try store.write { tx in
        try tx.insert(
          Article(id: ids[0], title: "빵", body: "아침에 빵과 우유를 먹는다", createdAt: day))
        try tx.insert(Article(id: ids[1], title: "우유", kind: 1, createdAt: day))
        try tx.insert(Article(id: ids[2], title: "우유", createdAt: day + 9))
        try tx.insert(Article(id: ids[3], title: "마트", createdAt: day))
      }
      let page = try store.fetch(Article.search("우유 OR 마트").limit(20))
      let latest = try store.fetch(
        Article.where { $0.matches("우유") }.order(by: .relevance, \.createdAt.descending))
      let byKind = try store.fetch(
        Article.where { $0.matches("우유") }.order { [$0.kind.ascending, .relevance] })
      #expect(page.map(\.id) == [3, 1, 2, 0].map { ids[$0] })
      #expect(latest.map(\.id) == [2, 1, 0].map { ids[$0] })
      #expect(byKind.map(\.id) == [2, 0, 1].map { ids[$0] })
    }
  }

  @Test func allTextsAreSearchedTogether() throws {
    try withStore(of: Note.self) { store in
      try store.write { tx in
        try tx.insert(Note(title: "바나나우유", tags: ["마트"]))
        try tx.insert(Note(title: "우유", body: "쿠폰이 있다"))
        try tx.insert(Note(title: "장", tags: ["장", "보기"]))
      }
      let notes = try store.fetch(Note.where { $0.matches("우유 -쿠폰") })
      #expect(notes.map(\.title) == ["바나나우유"])
      #expect(try store.count(Note.where { $0.matches("우유 마트") }) == 1)
      #expect(try store.count(Note.where { $0.title.matches("우유 마트") }) == 0)
      #expect(try store.count(Note.where { $0.matches("장보기") }) == 0)
    }
  }

  private func withErrands(_ body: (Store) throws -> Void) throws {
    try withStore(of: Errand.self) { store in
      try store.write { tx in
        let titles = ["바나나우유", "우유 쿠폰", "내일 장 보기를", "Salt"]
        for (id, title) in titles.enumerated() {
          try tx.insert(Errand(id: id, title: title, tags: id == 3 ? ["장 보기"] : []))
        }
      }
      try body(store)
    }
  }

  @Test func errandsAreFound() throws {
    try withErrands { store in
      let found = try store.fetch(Errand.where { $0.title.matches("우유 -쿠폰") })
      #expect(found.map(\.id) == [0])

      let typed = TextSearch("웅", .asTyped)
      let drinks = try store.fetch(Errand.where { $0.title.matches(typed) })
      #expect(drinks.map(\.id) == [0, 1])

      let several = Errand.where { $0.title.matches(typed) || $0.note.matches(typed) }
      let tagged = Errand.where { $0.tags.any { $0.matches("장보기") } }
      #expect(try store.fetch(several).map(\.id) == [0, 1])
      #expect(try store.fetch(tagged).map(\.id) == [3])
    }
  }

  @Test func termsAreHighlighted() {
    var printed = ""
    func print(_ items: Any...) { printed = items.map { "\($0)" }.joined(separator: " ") }
    let errand = Errand(
      id: 1, title: "내일 장 보기를", note: "아침 일찍 시장에 간다. 우유와 Milk를 산다. 그리고 집에 온다.")

    let search = TextSearch("장보기 milk*")
    let ranges = search.ranges(in: errand.title)
    let line = search.excerpt(of: errand.note, characters: 22)
    print(ranges.map { errand.title[$0] }, line.text, line.ranges.map { line.text[$0] })

    #expect(printed == "[\"장 보기\"] …간다. 우유와 Milk를 산다. 그리고… [\"Milk\"]")
  }

  /// The rows of the table: what is typed, what it finds, and what it does not.
  @Test(
    arguments: [
      ("우유", ["바나나우유를 사기"], []), ("milk", ["Buy MILK!"], ["milky", "buttermilk"]),
      ("cafe", ["Café", "ＣＡＦＥ"], []), ("우유 빵", ["빵과 우유"], ["우유"]),
      ("장보기", ["내일 장 보기를"], ["시장 보기"]), ("과일", ["과일", "과 일"], ["사과 일"]),
      ("\"장 보기\"", ["장 보기", "장보기"], ["보기 좋은 장"]), ("e-mail", ["E-Mail", "e mail"], ["email"]),
      ("sal*", ["sale", "Salt"], []), ("ㅇㅇ", ["우유", "아이 옷"], ["바나나우유"]), ("우ㅇ", ["바나나우유"], []),
      ("ㄱㅅ", ["ㄱㅅ", "ㄳ", "감사"], []), ("ㄳ", ["ㄱㅅ", "ㄳ", "감사"], []), ("ㅋㅋ", ["재밌다ㅋㅋ"], []),
      ("우유 OR 빵", ["우유", "빵"], ["물"]), ("우유 -쿠폰", ["우유"], ["우유 쿠폰"]), ("👍", ["👍🏽"], []),
      ("❤", ["❤️"], []), ("물 우유 OR 빵", ["물과 빵"], ["빵", "물"]), ("go", [], ["went"]),
      ("먹다", [], ["먹었다"]), ("먹", ["먹다", "먹었다"], []), ("우유", [], ["milk"]), ("ilk", [], ["milk"]),
      ("!!", [], ["!!"]), ("  ", ["", "a"], []),
    ] as [(String, [String], [String])])
  func theTableIsTrue(typed: String, found: [String], missed: [String]) {
    let search = TextSearch(typed)
    for text in found { #expect(search.matches(text), "\(typed) in \(text)") }
    for text in missed { #expect(!search.matches(text), "\(typed) in \(text)") }
  }

  @Test(arguments: [
    ("우유", ["ㅇ", "우", "웅", "우유"]), ("과일", ["ㄱ", "고", "과", "광", "과이", "과일"]),
    ("닭갈비", ["ㄷ", "다", "달", "닭", "닭ㄱ"]),
  ])
  func eachStateOfASyllableFindsTheWord(word: String, states: [String]) {
    for state in states { #expect(TextSearch(state, .asTyped).matches(word), "\(state)") }
  }
}
