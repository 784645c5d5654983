import Croft
import Testing

/// The code of the article about transactions; that of savepoints is in their tests.
@Suite struct TransactionsSnippets {
  @Test func aReadOfTheStoreSeesTheLastCommit() throws {
    try withStore(of: Song.self) { store in
      let song = Song(id: 1, title: "One")
      var printed: [Int] = []
      func print(_ counts: Int...) { printed = counts }

      try store.write { tx in
        try tx.insert(song)
        print(try tx.count(Song.all), try store.count(Song.all))  // 1 0
      }

      #expect(printed == [1, 0])
      #expect(try store.count(Song.all) == 1)
    }
  }
}
