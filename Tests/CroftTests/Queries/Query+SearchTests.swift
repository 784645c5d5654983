import Foundation
import TestSupport
import Testing

@testable import Croft

@Model private struct Post: Hashable {
  @PrimaryKey var id: Int
  @Indexed var title: String
  var note: String?
  var tags: [String] = []
  var author: Ref<Writer>?
  var likes = 1
}

@Model private struct Writer: Hashable {
  @PrimaryKey var name: String
}

/// A search is a condition as any other is: by every plan, in live queries and in writes.
@Suite(.keepsFailedStores) struct QuerySearchTests {
  private static let titles = ["바나나우유 사기", "장 보기", "Milk and bread", "우체국", "아이 옷", "MILK"]

  private func withPosts(_ body: (Store) throws -> Void) throws {
    try withStore(of: Post.self, Writer.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: ["김유나", "Ann"].map { Writer(name: $0) })
        for (id, title) in Self.titles.enumerated() {
          try tx.insert(
            Post(
              id: id, title: title, note: id % 2 == 0 ? title : nil, tags: ["x\(id)", title],
              author: id % 3 == 0 ? nil : Ref(id % 3 == 1 ? "김유나" : "Ann"), likes: id))
        }
      }
      try body(store)
    }
  }

  private func ids(
    _ store: Store, _ condition: (QueryColumn<Post, Post>) -> QueryCondition<Post>
  ) throws -> [Int] {
    try store.fetch(Post.where(condition)).map(\.id)
  }

  @Test func textsOfAllKindsAreSearched() throws {
    try withPosts { store in
      #expect(try ids(store) { $0.title.matches("우유") } == [0])
      #expect(try ids(store) { $0.title.matches("장보기") } == [1])
      #expect(try ids(store) { $0.title.matches("ㅇ") } == [3, 4])
      #expect(try ids(store) { $0.title.matches("웅", .asTyped) } == [0])
      #expect(try ids(store) { $0.title.matches(TextSearch("mil", .asTyped)) } == [2, 5])
      // Nil matches nothing, also where a search holds everywhere.
      #expect(try ids(store) { $0.note.matches("milk") } == [2])
      #expect(try ids(store) { $0.note.matches("") } == [0, 2, 4])
      #expect(try ids(store) { !$0.note.matches("milk") } == [0, 1, 3, 4, 5])
      #expect(try ids(store) { $0.note.matches("-milk") } == [0, 4])
      #expect(try ids(store) { $0.tags.any { $0.matches("milk -bread") } } == [5])
      #expect(try ids(store) { $0.author.name.matches("ㄱㅇㄴ") } == [1, 4])
      #expect(try ids(store) { ($0.note ?? $0.title).matches("우체국 OR bread") } == [2, 3])
      #expect(try ids(store) { $0.title.matches("milk") && $0.likes > 2 } == [5])
      let writers = try store.fetch(
        Writer.where { $0.referrers(by: \Post.author).any { $0.title.matches("ㅇㅊㄱ OR 옷") } })
      #expect(writers.map(\.name) == ["김유나"])
    }
  }

  @Test func aSearchIsExplained() throws {
    try withPosts { store in
      let found = try store.explain(Post.where { $0.title.matches("우", .asTyped) })
      // An index over the title does not know words.
      #expect(found.access == .scan)
      #expect(found.residual == "title matches \"우*\"")
    }
  }

  @Test func groupsSumsAndDeletesTakeASearch() throws {
    try withPosts { store in
      let milk = Post.where { $0.title.matches("milk") }
      #expect(try store.count(milk) == 2)
      #expect(try store.fetch(milk.sum(\.likes)) == 7)
      let groups = try store.fetch(milk.grouped(by: \.title, .count))
      #expect(groups.map(\.key) == ["MILK", "Milk and bread"])
      let sections = try store.fetch(milk.sections(by: \.likes))
      #expect(sections.map(\.key) == [2, 5])
      #expect(try store.fetch(milk.order(by: \.id.descending).limit(1)).map(\.id) == [5])
      try store.write { tx in
        #expect(try tx.count(milk) == 2)
        try tx.update(milk, set: \.likes, to: 100)
        #expect(try tx.delete(Post.where { $0.title.matches("ㅇ") }) == 2)
      }
      #expect(try store.fetch(Post.all.sum(\.likes)) == 201)
    }
  }

  @Test func aSearchOfManyTermsIsRefused() throws {
    try withPosts { store in
      let most = (0..<TextSearch.termsMax).map { "-\($0)" }.joined(separator: " ")
      let found = try ids(store) { $0.title.matches(most) }
      #expect(found.count == Self.titles.count)
      let error = StoreError.searchTooLong(model: "Post")
      for query in [most + " a", "a OR b " + most, most + " *"] {
        #expect(throws: error) { _ = try ids(store) { $0.title.matches(query) } }
        #expect(throws: error) { _ = try ids(store) { $0.tags.any { $0.matches(query) } } }
        #expect(throws: error) { _ = try ids(store) { $0.author.name.matches(query) } }
        #expect(throws: error) { _ = try ids(store) { ($0.note ?? "").matches(query) } }
      }
      // Quotation marks make one term of all.
      let phrase = try ids(store) { $0.title.matches("\"\(most) a\"") }
      #expect(phrase == [])
    }
  }

  /// Each commit tells the observers of a search what a fetch finds.
  @Test func liveSearchesFollowTheirObjects() throws {
    var random = SeededGenerator.forTest("QuerySearchTests")
    try withStore(of: Post.self, Writer.self) { store in
      let queries = ["우유", "ㅇㅇ", "가*", "a OR b", "-a", "\"우 유\" -3"].map { query in
        Post.where { $0.title.matches(query) || $0.note.matches(query, .asTyped) }
      }
      let found = queries.map { _ in Recorder<[Int]>() }
      let inSections = queries.map { _ in Recorder<[Int]>() }
      let tokens = zip(queries, zip(found, inSections)).flatMap { query, recorders in
        [
          store.observe(query) { recorders.0.add($0.after.map(\.id)) },
          store.observe(query.sections(by: \.likes)) { change in
            recorders.1.add(change.after.flatMap { $0.objects.map(\.id) })
          },
        ]
      }
      for _ in 0..<60 {
        try store.write { tx in
          for _ in 0..<1 + random.below(4) {
            let id = random.below(12)
            if random.oneIn(4) {
              _ = try tx.delete(Post.self, id)
            } else {
              _ = try tx.upsert(
                Post(
                  id: id, title: random.searchedText(),
                  note: random.oneIn(2) ? random.searchedText() : nil, likes: random.below(3)))
            }
          }
        }
        store.live.drain()
        for (query, recorders) in zip(queries, zip(found, inSections)) {
          let ids = try store.fetch(query).map(\.id)
          #expect(recorders.0.all.last == ids, "seed \(random.seed)")
          #expect(recorders.1.all.last?.sorted() == ids, "seed \(random.seed)")
        }
      }
      #expect(tokens.allSatisfy { $0.error == nil })
    }
  }
}
