import Testing

@testable import Croft

/// A result as a collection.
struct LiveResultsTests {
  private func results(_ ids: [Int], plays: [Int: Int] = [:]) -> LiveResults<Song> {
    LiveResults(.inOrder(ids, plays: plays))
  }

  @Test func itIsACollectionOfObjects() {
    let results = results([3, 1, 2])
    #expect(results.count == 3)
    #expect(results[1].id == 1)
    #expect(results.last?.id == 2)
    #expect(results[1...].map(\.id) == [1, 2])
    #expect(results.reversed().map(\.id) == [2, 1, 3])
    #expect(LiveResults<Song>().isEmpty)
  }

  @Test func aChangeIsPrintedAsItsIndices() {
    let (before, after) = (ResultRows.inOrder([1, 2, 3, 4]), ResultRows.inOrder([4, 2, 5]))
    let diff = ResultDiff(from: before, to: after)
    let change = ResultChange<Song>(sequence: 9, before: before, after: after, diff: diff)
    #expect(
      "\(change)" == "commit 9: 4 -> 3 of Song; deletions 0 2; insertions 2; moves 3->0")
    let first = ResultChange<Song>(sequence: 8, before: nil, after: before)
    #expect("\(first)" == "commit 8: 4 of Song")
    #expect("\(ResultMove(from: 1, to: 0, isModified: true))" == "1->0*")
  }

  @Test func theIteratorGivesWhatTheIndicesGive() {
    var tree = RowTree(.query)
    for place in 0..<300 { tree.insert(.song(place, at: place)) }
    for offset in [0, 1, 15, 16, 17, 200, 299, 300, 400] {
      let results = LiveResults<Song>(ResultRows(tree, offset: offset, limit: 50))
      #expect(Array(results) == results.indices.map { results[$0] })
      #expect(Array(results).map(\.id) == Array((0..<300).dropFirst(offset).prefix(50)))
    }
  }

  @Test func equalObjectsInOneOrderAreEqual() {
    #expect(results([1, 2]) == results([1, 2]))
    #expect(results([1, 2]) != results([2, 1]))
    #expect(results([1, 2]) != results([1]))
    #expect(results([1, 2]) != results([1, 2], plays: [2: 7]))
    #expect(results([1]).description == [Song(id: 1, title: "Song 1")].description)
  }

  @Test func aRowThatCannotBeDecodedIsRefusedBeforeItIsHandedOut() throws {
    let layout = RecordLayout(schema: Song._schema.erased, id: 1)
    var encoder = _RecordEncoder()
    encoder.begin(layout)
    encoder.encodeKey(1)
    encoder.encode("a song")
    encoder.encode(0)
    encoder.encode(99)  // No case of Genre has it.
    encoder.encode(String?.none)
    encoder.encode(Double?.none)
    let row = StoredRow(encoder.view, layout)
    let bad = ResultRows(RowTree(sorted: [row], by: .query), offset: 0, limit: nil)
    func isMismatch(_ error: any Error) -> Bool {
      if case StoreError.schemaMismatch(_, "genre", _) = error { true } else { false }
    }
    #expect { try bad.check(as: Song.self) } throws: { isMismatch($0) }
    #expect {
      try bad.check(as: Song.self, after: ResultDiff(from: .empty, to: bad))
    } throws: { isMismatch($0) }
    try bad.check(as: Song.self, after: ResultDiff())
  }
}
