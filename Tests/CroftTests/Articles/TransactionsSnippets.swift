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

  func plays<T: ReadableTransaction & ~Copyable>(of genre: Genre, in tx: inout T) throws -> Int {
    try tx.fetch(Song.where { $0.genre == genre }.sum(\.plays))
  }

  func mix(_ genre: Genre, in tx: inout WriteTransaction) throws {
    if try plays(of: genre, in: &tx) == 0 { try tx.delete(Song.where { $0.genre == genre }) }
  }

  @Test func aFunctionTakesATransaction() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(Song(id: 1, title: "One", plays: 5, genre: .rock))
        try tx.insert(Song(id: 2, title: "Two", genre: .jazz))
      }

      let total = try store.read { tx in try plays(of: .rock, in: &tx) }
      try store.write { tx in try mix(.jazz, in: &tx) }

      #expect(total == 5)
      #expect(try store.fetch(Song.all).map(\.id) == [1])
    }
  }
}
