import Foundation
import LMDB
import Testing
import TestSupport

@testable import Croft

/// A model that refers to tracks, whose key is several properties, in every way.
@Model struct Play: Hashable {
  @PrimaryKey var id: Int
  @Relation(onDelete: .cascade) var track: Ref<Track>
  var next: Ref<Track>?
  var queue: [Ref<Track>] = []
  var liked: Set<Ref<Track>> = []
  @Relation(onDelete: .deny) var sample: Ref<Track>?
  var title = ""
  #Index<Play>([\.next.descending, \.title])
}

/// A model whose primary key begins with a reference to such a key.
@Model struct Chart: Hashable {
  @PrimaryKey var track: Ref<Track>
  @PrimaryKey var week: Int
  var place = 0
}

/// A model of several keys that refers to itself.
@Model struct Square: Hashable {
  @PrimaryKey var row: Int
  @PrimaryKey var column: Date
  @Relation(onDelete: .cascade) var parent: Ref<Square>?
  var neighbours: [Ref<Square>] = []
}

extension Track {
  /// A track of an album, disc and number.
  fileprivate init(_ album: String, _ disc: Int8 = 1, _ number: UInt16 = 1, title: String = "") {
    self.init(album: album, title: title, disc: disc, number: number)
  }
}

extension Square {
  fileprivate init(_ row: Int, parent: Square? = nil, neighbours: [Square] = []) {
    self.init(
      row: row, column: Date(timeIntervalSinceReferenceDate: 0.5), parent: parent.map { Ref($0) },
      neighbours: neighbours.map { Ref($0) })
  }
}

@Suite(.keepsFailedStores) struct CompoundReferenceTests {
  private let tracks = ["a", "a\0", "ab", "b", "é"].flatMap { album in
    ([-1, 0, 127] as [Int8]).map { Track(album, $0, 256, title: "\(album) \($0)") }
  }

  private func withPlays(
    _ plays: [Play], _ body: (Store) throws -> Void
  ) throws {
    try withStore(of: Track.self, Play.self, Chart.self) { store in
      try store.write { tx throws in
        try tx.insert(contentsOf: tracks)
        try tx.insert(contentsOf: plays)
      }
      try body(store)
    }
  }

  @Test func whatIsStoredIsReadAgain() throws {
    try withTemporaryStore(of: Track.self, Play.self, Chart.self) { temporary in
      let refs = tracks.map { Ref($0) }
      let plays = [
        Play(id: 1, track: refs[0]),
        Play(
          id: 2, track: refs[1], next: refs[2], queue: [refs[3], refs[4], refs[3]],
          liked: Set(refs), sample: refs[5], title: "all"),
      ]
      let charts = [Chart(track: refs[9], week: -3, place: 1), Chart(track: refs[2], week: 7)]
      try temporary.open().write { tx throws in
        try tx.insert(contentsOf: tracks)
        try tx.insert(contentsOf: plays)
        try tx.insert(contentsOf: charts)
        try tx.update(Play.self, 1) { $0.next = refs[14] }
      }
      let store = try temporary.open()
      var first = plays[0]
      first.next = refs[14]
      #expect(try store.fetch(Play.all) == [first, plays[1]])
      #expect(try store.fetch(Chart.all) == charts.reversed())
      let found = try store.get(Chart.self, Chart.PrimaryKey(track: refs[9], week: -3))
      #expect(found?.place == 1)
      #expect(try store.get(Track.self, first.track.key) == tracks[0])
      #expect(try store.fetch(Play.all).map(\.liked) == [[], Set(refs)])
    }
  }

  @Test func aReferenceToNoObjectIsRefused() throws {
    try withPlays([]) { store in
      try store.write { tx throws in
        #expect(
          throws: StoreError.danglingReference(
            model: "Play", field: "track", key: "1", target: "Track (\"a\", 5, 6)")
        ) { try tx.insert(Play(id: 1, track: Ref(Track("a", 5, 6)))) }
        let long = Ref(Track(String(repeating: "x", count: 1_000)))
        for others in [[], [long]] {
          #expect(throws: StoreError.self) {
            try tx.insert(
              contentsOf: [Play(id: 1, track: Ref(tracks[0]), next: long, queue: others)])
          }
        }
        #expect(throws: StoreError.self) {
          try tx.insert(Chart(track: Ref(Track("nobody's")), week: 1))
        }
        #expect(try tx.count(Play.all) == 0)
      }
    }
  }

  @Test func rulesHold() throws {
    let refs = tracks.map { Ref($0) }
    let plays = [
      Play(id: 1, track: refs[0], next: refs[1]),
      Play(id: 2, track: refs[1], queue: [refs[2], refs[0], refs[2]], liked: [refs[2], refs[3]]),
      Play(id: 3, track: refs[2], next: refs[2]),
      Play(id: 4, track: refs[4], sample: refs[5]),
    ]
    try withPlays(plays) { store in
      try store.write { tx throws in
        #expect(
          throws: StoreError.deniedByRelation(
            model: "Play", field: "sample", key: "4", target: "Track (\"a\0\", 127, 256)", count: 1)
        ) { try tx.delete(Track.self, refs[5].key) }
        #expect(try tx.delete(Track.self, refs[2].key))
        #expect(
          try tx.fetch(Play.all) == [
            plays[0], Play(id: 2, track: refs[1], queue: [refs[0]], liked: [refs[3]]), plays[3],
          ])
        #expect(try tx.delete(Track.where { $0.album == "a" }) == 2)
        #expect(try tx.fetch(Play.all) == [plays[3]])
        #expect(try tx.delete(Play.self, 4))
        #expect(try tx.deleteAll(Track.self) == 12)
      }
      #expect(try store.verify().problems == [])
    }
  }

  @Test func aKeyOfReferencesDeniesTheDelete() throws {
    try withPlays([]) { store in
      try store.write { tx throws in
        try tx.insert(Chart(track: Ref(tracks[0]), week: 1))
        #expect(
          throws: StoreError.deniedByRelation(
            model: "Chart", field: "track", key: "((\"a\", -1, 256), 1)",
            target: "Track (\"a\", -1, 256)", count: 1)
        ) { try tx.delete(Track.self, tracks[0]._primaryKey) }
        #expect(try tx.count(Chart.where { $0.track == Ref(tracks[0]) && $0.week > 0 }) == 1)
        #expect(try tx.count(Chart.referring(to: tracks[0], by: \.track)) == 1)
      }
    }
  }

  @Test func cascadesGoRoundCirclesOfOneModel() throws {
    try withStore(of: Square.self) { store in
      var squares = (0..<5).map { Square($0) }
      for place in 0..<4 { squares[place].parent = Ref(squares[(place + 1) % 4]) }
      squares[4].neighbours = [Ref(squares[4]), Ref(squares[0]), Ref(squares[4])]
      try store.write { tx throws in
        try tx.insert(contentsOf: squares)
        #expect(try tx.delete(Square.where { $0.row == 2 }) == 4)
      }
      #expect(try store.fetch(Square.all) == [Square(4, neighbours: [Square(4), Square(4)])])
    }
  }

  @Test func whatRefersToAnObjectIsFoundAndCounted() throws {
    let refs = tracks.map { Ref($0) }
    let plays = (0..<30).map { id in
      Play(
        id: id, track: refs[id % 15], next: id % 4 == 0 ? nil : refs[(id * 7) % 15],
        queue: [refs[id % 3], refs[5]], liked: [refs[id % 2]], title: "\(id % 5)")
    }
    try withPlays(plays) { store in
      for (place, track) in tracks.enumerated() {
        #expect(
          try store.fetch(Play.referring(to: track, by: \.track))
            == plays.filter { $0.track == refs[place] })
        #expect(
          try store.fetch(Play.referring(to: track, by: \.next))
            == plays.filter { $0.next == refs[place] })
        #expect(
          try store.fetch(Play.referring(to: track, by: \.queue))
            == plays.filter { $0.queue.contains(refs[place]) })
        #expect(
          try store.count(Play.referring(to: track, by: \.liked))
            == plays.count { $0.liked.contains(refs[place]) })
      }
      let played = try store.fetch(Track.where { $0.referrers(by: \Play.queue).count > 9 })
      #expect(played == [tracks[0], tracks[1], tracks[2], tracks[5]])
      let twice = Track.where { $0.referrers(by: \Play.next).any { $0.title == "1" } }
      let targets = Set(plays.filter { $0.title == "1" }.compactMap(\.next))
      #expect(try store.fetch(twice) == tracks.filter { targets.contains(Ref($0)) })
    }
  }

  @Test func conditionsAndOrdersFollowTheKey() throws {
    let refs = tracks.map { Ref($0) }
    let plays = (0..<30).map { id in
      Play(
        id: id, track: refs[(id * 11) % 15], next: id % 4 == 0 ? nil : refs[(id * 7) % 15],
        title: "\(id % 5)")
    }
    let place = Dictionary(uniqueKeysWithValues: refs.enumerated().map { ($1, $0) })
    try withPlays(plays) { store in
      #expect(
        try store.fetch(Play.where { $0.track.in([refs[1], refs[14]]) })
          == plays.filter { $0.track == refs[1] || $0.track == refs[14] })
      #expect(
        try store.fetch(Play.where { $0.next < refs[7] && $0.next != refs[2] })
          == plays.filter { $0.next.map { place[$0, default: 99] < 7 && $0 != refs[2] } ?? false })
      #expect(
        try store.fetch(Play.where { $0.next.album == "ab" && $0.track.disc >= 0 })
          == plays.filter { $0.next?.key.album == "ab" && $0.track.key.disc >= 0 })
      #expect(try store.fetch(Play.where { $0.next == nil }) == plays.filter { $0.next == nil })
      func order(_ play: Play) -> (Int, Int) { (play.next.flatMap { place[$0] } ?? -1, play.id) }
      #expect(
        try store.fetch(Play.all.order(by: \.next)) == plays.sorted { order($0) < order($1) })
      #expect(
        try store.fetch(Play.all.order(by: \.next.descending, \.title)).map(\.next)
          == plays.sorted { order($0) > order($1) }.map(\.next))
      #expect(
        try store.fetch(Play.all.order(by: \.track.title.descending)).map(\.track)
          == plays.sorted {
            (tracks[place[$0.track, default: 0]].title, $1.id)
              > (tracks[place[$1.track, default: 0]].title, $0.id)
          }.map(\.track))
      #expect(try store.fetch(Play.all.distinct(by: \.track)).count == 15)
      try store.write { tx throws in
        #expect(try tx.update(Play.where { $0.id < 3 }, set: \.next, to: refs[3]) == 3)
        #expect(throws: StoreError.self) {
          try tx.update(Play.all, set: \.track, to: Ref(Track("none")))
        }
      }
      #expect(
        try store.count(Play.referring(to: tracks[3], by: \.next)) == 3
          + plays.count { $0.id > 2 && $0.next == refs[3] })
    }
  }

  @Test func everyPlanFindsTheSame() throws {
    var random = SeededGenerator.forTest("plans over compound references")
    let refs = tracks.map { Ref($0) }
    let plays = (0..<60).map { id in
      Play(
        id: id, track: random.pick(refs), next: random.maybe { $0.pick(refs) },
        queue: (0..<random.below(3)).map { _ in random.pick(refs) }, title: random.text())
    }
    try withPlays(plays) { store in
      for _ in 0..<40 {
        let bound = random.pick(refs)
        let title = random.text()
        let queries = [
          Play.where { $0.next <= bound && $0.title > title }.order(by: \.next.descending, \.title),
          Play.where { $0.next == bound || $0.queue.contains(bound) }.order(by: \.title),
          Play.where { $0.track >= bound }.order(by: \.track),
        ]
        for query in queries {
          try store.read { tx in
            let storage = try tx.catalog.table(of: Play._schema.erased)
            var results: [[Int]] = []
            for plan in Plan.all(query.core, storage, tx.catalog) {
              var ids: [Int] = []
              try QueryRun(plan).forEachDecoded(in: tx.base) { row in
                ids.append(try Play(_record: &row).id)
                return true
              }
              results.append(ids)
            }
            #expect(Set(results).count == 1 && results.count > 1, "seed \(random.seed)")
          }
        }
        let found = try store.fetch(queries[1]).map(\.id).sorted()
        let expected = plays.filter { $0.next == bound || $0.queue.contains(bound) }
        #expect(found == expected.map(\.id), "seed \(random.seed)")
      }
    }
  }

  @Test func textsReferByCanonicalEquivalence() throws {
    try withPlays([]) { store in
      try store.write { tx throws in
        try tx.insert(Play(id: 1, track: Ref(Track("e\u{301}", 0, 256))))
        #expect(try tx.count(Play.referring(to: tracks[13], by: \.track)) == 1)
        #expect(try tx.get(Play.self, 1)?.track == Ref(tracks[13]))
        #expect(try tx.delete(Track.self, tracks[13]._primaryKey))
        #expect(try tx.count(Play.all) == 0)
      }
    }
  }

  @Test func theLongestKeysCanBeReferredTo() throws {
    // 186 bytes and an end mark, beside two integers of eight.
    let long = ["x", "\0"].map { Track(String(repeating: $0, count: $0 == "x" ? 182 : 91), 1, 1) }
    try withPlays([]) { store in
      try store.write { tx throws in
        try tx.insert(contentsOf: long)
        try tx.insert(
          Play(
            id: 1, track: Ref(long[0]), next: Ref(long[1]), queue: long.map { Ref($0) },
            title: String(repeating: "t", count: 400)))
        try tx.insert(Play(id: 2, track: Ref(long[1]), next: Ref(long[0]), liked: [Ref(long[0])]))
        #expect(throws: StoreError.self) {
          try tx.insert(Track(String(repeating: "x", count: 183)))
        }
      }
      #expect(try store.count(Play.referring(to: long[1], by: \.queue)) == 1)
      #expect(try store.fetch(Play.all.order(by: \.next)).map(\.id) == [1, 2])
    }
  }

  @Test func problemsOfSuchReferencesAreReported() throws {
    try withTemporaryStore(of: Track.self, Play.self, checksAtEnd: false) { temporary in
      let store = try temporary.open()
      try store.write { tx throws in
        try tx.insert(contentsOf: tracks)
        try tx.insert(Play(id: 1, track: Ref(tracks[4])))
        let storage = try tx.catalog.table(of: Track._schema.erased)
        var key = _ByteBuffer()
        tracks[4]._primaryKey.appendKey(to: &key)
        // Safety: the key does not change during the call.
        let isDeleted = try unsafe tx.base.delete(
          RawSpan(_unsafeBytes: key.bytes), in: storage.rows)
        #expect(isDeleted)
        tx.hasChanges = true
      }
      let problems = try store.verify().problems
      #expect(problems.contains { $0.contains("Play.track of 1 refers to (\"a\\u{0}\", 0, 256)") })
    }
  }

  @Test func aKeyAloneCanBeAPropertyToo() throws {
    try withStore(of: Bookmark.self) { store in
      let key = tracks[7]._primaryKey
      try store.write {
        try $0.insert(Bookmark(id: 1, key: key, keys: [key, tracks[2]._primaryKey]))
      }
      #expect(try store.fetch(Bookmark.where { $0.key == key }).map(\.keys[0]) == [key])
      #expect(try store.get(Bookmark.self, 1)?.last == nil)
    }
  }

  @Test func theTypeNamesThePartsAndIsReadAgain() throws {
    let types = [
      Ref<Track>.storage, Ref<Chart>?.storage, [Ref<Square>].storage, Set<Ref<Track>?>.storage,
      [String: Ref<Chart>].storage,
    ]
    #expect(
      types.map(\.text) == [
        "(string,int64,uint64)", "(string,int64,uint64,int64)?", "[(int64,date)]",
        "{(string,int64,uint64)?}", "[:(string,int64,uint64,int64)]",
      ])
    #expect(types.map { StorageType(text: $0.text) } == types)
    for wrong in ["compound", "()", "(", "(int64,)", "(float)", "(int64", "(int8)", "[(int64]"] {
      #expect(StorageType(text: wrong) == nil, "\(wrong)")
    }
  }
}

/// A model that keeps keys without referring to anything.
@Model struct Bookmark: Hashable {
  @PrimaryKey var id: Int
  @Indexed var key: Track.PrimaryKey
  var keys: [Track.PrimaryKey] = []
  var last: Track.PrimaryKey?
}
