import Testing

@testable import Croft

@Suite(.keepsFailedStores) struct ChangeCaptureTests {
  /// The captured delta of songs.
  private func change(
    _ store: Store, _ detail: ChangeDetail = .rows,
    _ prepare: (ChangeCapture) -> Void = { _ in },
    _ body: (inout WriteTransaction) throws -> Void
  ) throws -> TableDelta? {
    var tx = try store.beginWrite()
    let capture = ChangeCapture(of: tx.catalog) { _ in detail }
    prepare(capture)
    tx.context.changes = ChangeStream(of: tx.catalog.all, observers: capture)
    try body(&tx)
    let model = try tx.catalog.table(of: Song._schema.erased)
    return capture.deltas()[model.id]
  }

  private let song = Song(id: 1, title: "one")

  @Test func whatIsInsertedAndDeletedInOneTransactionIsNoChange() throws {
    try withStore(of: Song.self) { store in
      let change = try change(store) { tx in
        try tx.insert(song)
        try tx.delete(Song.self, 1)
      }
      #expect(change == nil)
    }
  }

  @Test func whatIsChangedBackIsNoChange() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(song) }
      let change = try change(store) { tx in
        try tx.update(Song.self, 1) { $0.title = "two" }
        try tx.update(Song.self, 1) { $0.title = "one" }
      }
      #expect(change == nil)
    }
  }

  @Test func whatIsDeletedAndMadeAgainIsOneChange() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(song) }
      let change = try change(store) { tx in
        try tx.delete(Song.self, 1)
        try tx.insert(Song(id: 1, title: "two"))
        try tx.update(Song.self, 1) { $0.plays = 3 }
      }
      let rows = try #require(change?.differences)
      #expect(rows.count == 1)
      #expect(rows.first?.old != nil && rows.first?.new != nil)
    }
  }

  @Test func pastItsBoundAModelIsOnlyKnownToHaveChanged() throws {
    try withStore(of: Song.self) { store in
      let change = try change(store, .rows, { $0.longestBytes = 500 }) { tx in
        try tx.insert(contentsOf: Song.numbered(0..<100))
      }
      guard case .unknown = change else {
        Issue.record("the capture knows more: \(String(describing: change))")
        return
      }
    }
  }

  @Test func anUndoneSavepointGivesBackTheRoomThatItTook() throws {
    try withStore(of: Song.self) { store in
      let change = try change(store, .rows, { $0.longestBytes = 500 }) { tx in
        try tx.insert(song)
        _ = try? tx.savepoint { tx in
          try tx.insert(contentsOf: Song.numbered(10..<100))
          throw Refused()
        }
        try tx.insert(Song(id: 2, title: "two"))
      }
      #expect(change?.differences?.count == 2)
    }
  }

  @Test func keysPastTheirBoundAreOnlyKnownToHaveChanged() throws {
    try withStore(of: Song.self) { store in
      let few = try change(store, .keys) { try $0.insert(contentsOf: Song.numbered(0..<100)) }
      #expect(few?.keys?.count == 100)
      let many = try change(store, .keys) {
        try $0.insert(contentsOf: Song.numbered(0..<Threshold.loggedKeyBytes.value / 8 + 1))
      }
      #expect(many != nil && many?.keys == nil)
    }
  }

  @Test func aFailedStatementLeavesNothingInTheJournal() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(song) }
      let change = try change(store) { tx in
        #expect(StoreError.thrown { try tx.insert(song) } != nil)
        let songs = [Song(id: 0, title: "zero"), song]
        #expect(StoreError.thrown { try tx.insert(contentsOf: songs) } != nil)
      }
      #expect(change == nil)
    }
  }
}
