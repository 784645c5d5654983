import Croft
import Foundation
import Testing

// A struct's property, the struct around it and the property of the model change their names, all
// together or one after the other.

private protocol Nested: Model {
  var xy: [Int] { get }
  var optionalXY: [Int]? { get }
  init(_ id: Int, _ x: Int, _ y: Int)
}

enum Deep {
  @Embedded struct Inner: Hashable {
    var x: Int
    var y: Int
  }
  @Embedded struct TurnedInner: Hashable {
    @Renamed(from: "y") var x: Int
    @Renamed(from: "x") var y: Int
  }
  @Embedded struct Outer: Hashable {
    var inner: Inner
  }
  @Embedded struct RenamedOuter: Hashable {
    @Renamed(from: "inner") var core: Inner
  }
  @Embedded struct TurnedOuter: Hashable {
    var inner: TurnedInner
  }
  @Embedded struct RenamedTurnedOuter: Hashable {
    @Renamed(from: "inner") var core: TurnedInner
  }
}

enum Deep000 {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    var spot: Deep.Outer
    var perhaps: Deep.Outer?
  }
}
extension Deep000.P: Nested {
  var xy: [Int] { [spot.inner.x, spot.inner.y] }
  var optionalXY: [Int]? { perhaps.map { [$0.inner.x, $0.inner.y] } }
  init(_ id: Int, _ x: Int, _ y: Int) {
    let value = Deep.Outer(inner: Deep.Inner(x: x, y: y))
    self.init(id: id, spot: value, perhaps: id % 2 == 0 ? nil : value)
  }
}

enum Deep001 {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    var spot: Deep.TurnedOuter
    var perhaps: Deep.TurnedOuter?
  }
}
extension Deep001.P: Nested {
  var xy: [Int] { [spot.inner.x, spot.inner.y] }
  var optionalXY: [Int]? { perhaps.map { [$0.inner.x, $0.inner.y] } }
  init(_ id: Int, _ x: Int, _ y: Int) {
    let value = Deep.TurnedOuter(inner: Deep.TurnedInner(x: x, y: y))
    self.init(id: id, spot: value, perhaps: id % 2 == 0 ? nil : value)
  }
}

enum Deep010 {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    var spot: Deep.RenamedOuter
    var perhaps: Deep.RenamedOuter?
  }
}
extension Deep010.P: Nested {
  var xy: [Int] { [spot.core.x, spot.core.y] }
  var optionalXY: [Int]? { perhaps.map { [$0.core.x, $0.core.y] } }
  init(_ id: Int, _ x: Int, _ y: Int) {
    let value = Deep.RenamedOuter(core: Deep.Inner(x: x, y: y))
    self.init(id: id, spot: value, perhaps: id % 2 == 0 ? nil : value)
  }
}

enum Deep011 {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    var spot: Deep.RenamedTurnedOuter
    var perhaps: Deep.RenamedTurnedOuter?
  }
}
extension Deep011.P: Nested {
  var xy: [Int] { [spot.core.x, spot.core.y] }
  var optionalXY: [Int]? { perhaps.map { [$0.core.x, $0.core.y] } }
  init(_ id: Int, _ x: Int, _ y: Int) {
    let value = Deep.RenamedTurnedOuter(core: Deep.TurnedInner(x: x, y: y))
    self.init(id: id, spot: value, perhaps: id % 2 == 0 ? nil : value)
  }
}

enum Deep100 {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "spot") var place: Deep.Outer
    @Renamed(from: "perhaps") var maybe: Deep.Outer?
  }
}
extension Deep100.P: Nested {
  var xy: [Int] { [place.inner.x, place.inner.y] }
  var optionalXY: [Int]? { maybe.map { [$0.inner.x, $0.inner.y] } }
  init(_ id: Int, _ x: Int, _ y: Int) {
    let value = Deep.Outer(inner: Deep.Inner(x: x, y: y))
    self.init(id: id, place: value, maybe: id % 2 == 0 ? nil : value)
  }
}

enum Deep101 {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "spot") var place: Deep.TurnedOuter
    @Renamed(from: "perhaps") var maybe: Deep.TurnedOuter?
  }
}
extension Deep101.P: Nested {
  var xy: [Int] { [place.inner.x, place.inner.y] }
  var optionalXY: [Int]? { maybe.map { [$0.inner.x, $0.inner.y] } }
  init(_ id: Int, _ x: Int, _ y: Int) {
    let value = Deep.TurnedOuter(inner: Deep.TurnedInner(x: x, y: y))
    self.init(id: id, place: value, maybe: id % 2 == 0 ? nil : value)
  }
}

enum Deep110 {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "spot") var place: Deep.RenamedOuter
    @Renamed(from: "perhaps") var maybe: Deep.RenamedOuter?
  }
}
extension Deep110.P: Nested {
  var xy: [Int] { [place.core.x, place.core.y] }
  var optionalXY: [Int]? { maybe.map { [$0.core.x, $0.core.y] } }
  init(_ id: Int, _ x: Int, _ y: Int) {
    let value = Deep.RenamedOuter(core: Deep.Inner(x: x, y: y))
    self.init(id: id, place: value, maybe: id % 2 == 0 ? nil : value)
  }
}

enum Deep111 {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "spot") var place: Deep.RenamedTurnedOuter
    @Renamed(from: "perhaps") var maybe: Deep.RenamedTurnedOuter?
  }
}
extension Deep111.P: Nested {
  var xy: [Int] { [place.core.x, place.core.y] }
  var optionalXY: [Int]? { maybe.map { [$0.core.x, $0.core.y] } }
  init(_ id: Int, _ x: Int, _ y: Int) {
    let value = Deep.RenamedTurnedOuter(core: Deep.TurnedInner(x: x, y: y))
    self.init(id: id, place: value, maybe: id % 2 == 0 ? nil : value)
  }
}

// Two structs whose names change places, and those inside them.

enum TwoSpots {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    var a: Deep.Inner
    var b: Deep.Inner?
  }
}
enum TwoSpotsOuter {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "b") var a: Deep.Inner?
    @Renamed(from: "a") var b: Deep.Inner
  }
}
enum TwoSpotsInner {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    var a: Deep.TurnedInner
    var b: Deep.TurnedInner?
  }
}
/// One of them is not declared while the names in the other change places.
enum TwoSpotsHalf {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    var b: Deep.TurnedInner?
  }
}
enum TwoSpotsBoth {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "b") var a: Deep.TurnedInner?
    @Renamed(from: "a") var b: Deep.TurnedInner
  }
}

/// The struct and a property in it have other names, and something new has the latter's old one.
enum RefilledSpot {
  @Embedded struct Inner: Hashable {
    var x = 0
    @Renamed(from: "x") var u: Int
    var y: Int
  }
  @Embedded struct Outer: Hashable {
    var inner: Inner
  }
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "spot") var place: Outer
  }
}

/// The first version of the model with a property more, which the store does not know.
enum DeepWithNote {
  @Embedded struct Inner: Hashable {
    var y: Int
    var x: Int
  }
  @Embedded struct Outer: Hashable {
    var inner: Inner
  }
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    var spot: Outer
    var note = ""
  }
}

// Two structs of which each could have become a third.

enum Sides {
  @Embedded struct Left: Hashable {
    var x: Int
  }
  @Embedded struct Right: Hashable {
    var y: Int
  }
  @Embedded struct One: Hashable {
    @Renamed(from: "y") var x: Int
  }
}
enum SidesApart {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    var spot: Sides.Left
    var place: Sides.Right
  }
}
enum SidesAsOne {
  @Model struct P: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "spot") var place: Sides.One
  }
}

@Suite(.keepsFailedStores) struct RenamedStructTests {
  private func open(_ temporary: TemporaryStore, _ model: any Model.Type) throws -> Store {
    try Store.open(at: temporary.url, models: model, options: .forTests)
  }

  /// The versions of the model, by which names are new: the property's, the struct's, and those of the
  /// two integers, which change places.
  private static let versions: [any Nested.Type] = [
    Deep000.P.self, Deep001.P.self, Deep010.P.self, Deep011.P.self,
    Deep100.P.self, Deep101.P.self, Deep110.P.self, Deep111.P.self,
  ]

  /// All ways from the first version to the last one that never go back.
  private static let ways: [[Int]] = {
    func ways(from version: Int) -> [[Int]] {
      if version == 7 { return [[7]] }
      return (version + 1...7).filter { $0 & version == version }
        .flatMap { ways(from: $0).map { [version] + $0 } }
    }
    return ways(from: 0)
  }()

  private func check<P: Nested>(_ type: P.Type, _ temporary: TemporaryStore, _ version: Int) throws
  {
    let store = try open(temporary, type)
    let expected = [[1, 2], [3, 4], [5, 6]].map { version & 1 == 0 ? $0 : $0.reversed() }
    let objects = try store.fetch(P.all)
    #expect(objects.map(\.xy) == expected)
    #expect(objects.map(\.optionalXY) == [nil, expected[1], nil])
    #expect(try store.verify().problems == [])
  }

  /// Where the struct had been renamed before, a later exchange of the names in it was ignored in
  /// silence; where both came at once, too; and the values had each other's names.
  @Test(arguments: ways)
  func namesOfAStructAndInItChangeTogetherOrOneAfterTheOther(way: [Int]) throws {
    try withTemporaryStore(of: Deep000.P.self, checksAtEnd: false) { temporary in
      try temporary.open().write { tx in
        for id in 0..<3 { try tx.insert(Deep000.P(id, 2 * id + 1, 2 * id + 2)) }
      }
      for (place, version) in way.enumerated() {
        // The words stay: a second opening changes nothing.
        for _ in 0..<2 { try check(Self.versions[version], temporary, version) }
        for former in way[..<place] { try check(Self.versions[former], temporary, former) }
      }
    }
  }

  @Test func olderAndNewerProgramsTakeTurnsAfterAllNamesHaveChanged() throws {
    try withTemporaryStore(of: Deep000.P.self, checksAtEnd: false) { temporary in
      let old = try temporary.open()
      try old.write { try $0.insert(Deep000.P(0, 1, 2)) }
      let new = try open(temporary, Deep111.P.self)
      for round in 1..<4 {
        try old.write { try $0.insert(Deep000.P(2 * round, round, -round)) }
        #expect(try new.fetch(Deep111.P.all).last?.xy == [-round, round])
        try new.write { try $0.insert(Deep111.P(2 * round + 1, round, -round)) }
        #expect(try old.fetch(Deep000.P.all).last?.xy == [-round, round])
        #expect(try old.fetch(Deep000.P.all).last?.optionalXY == [-round, round])
        try old.write { _ = try $0.update(Deep000.P.self, 0) { $0.spot.inner.x = 100 + round } }
        #expect(try new.get(Deep111.P.self, 0)?.xy == [2, 100 + round])
      }
      #expect(try new.verify().problems == [])
    }
  }

  @Test(
    arguments: [
      [TwoSpotsBoth.P.self], [TwoSpotsOuter.P.self, TwoSpotsBoth.P.self],
      [TwoSpotsInner.P.self, TwoSpotsBoth.P.self], [TwoSpotsHalf.P.self, TwoSpotsBoth.P.self],
    ] as [[any Model.Type]])
  func twoStructsAndTheNamesInThemChangePlaces(versions: [any Model.Type]) throws {
    try withTemporaryStore(of: TwoSpots.P.self, checksAtEnd: false) { temporary in
      let first = [
        TwoSpots.P(id: 1, a: .init(x: 1, y: 2), b: .init(x: 3, y: 4)),
        TwoSpots.P(id: 2, a: .init(x: 5, y: 6), b: nil),
      ]
      try temporary.open().write { try $0.insert(contentsOf: first) }
      for version in versions { _ = try open(temporary, version) }
      for _ in 0..<2 {
        let store = try open(temporary, TwoSpotsBoth.P.self)
        #expect(
          try store.fetch(TwoSpotsBoth.P.all) == [
            TwoSpotsBoth.P(id: 1, a: .init(x: 4, y: 3), b: .init(x: 2, y: 1)),
            TwoSpotsBoth.P(id: 2, a: nil, b: .init(x: 6, y: 5)),
          ])
        #expect(try store.verify().problems == [])
        #expect(try temporary.open().fetch(TwoSpots.P.all) == first)
      }
    }
  }

  /// The new `x`, declared before the renamed one, took the values: the struct's rename alone led
  /// there too.
  @Test func somethingNewUnderAnInnerNameIsNewWhileTheStructIsRenamed() throws {
    try withTemporaryStore(of: Deep000.P.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(Deep000.P(1, 1, 2)) }
      for _ in 0..<2 {
        let store = try open(temporary, RefilledSpot.P.self)
        #expect(
          try store.fetch(RefilledSpot.P.all).map(\.place.inner) == [.init(x: 0, u: 1, y: 2)])
      }
    }
  }

  /// After an exchange two fields had each name, and the first of them was taken.
  @Test func anUnknownFormWithANameThatTwoFieldsHadIsRefused() throws {
    try withTemporaryStore(of: Deep000.P.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(Deep000.P(1, 1, 2)) }
      _ = try open(temporary, Deep111.P.self)
      let error = StoreError.thrown { _ = try open(temporary, DeepWithNote.P.self) }
      guard case .schemaMismatch("P", "spot.inner.y", let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      for words in ["place.core.x", "place.core.y", "@Renamed(from:"] {
        #expect(reason.contains(words), "\(reason)")
      }
      #expect(try temporary.open().fetch(Deep000.P.all).map(\.xy) == [[1, 2]])
    }
  }

  @Test func anUnknownOlderFormIsServedWhereItIsClearWhatItsNamesMean() throws {
    try withTemporaryStore(of: Deep000.P.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(Deep000.P(1, 1, 2)) }
      _ = try open(temporary, Deep110.P.self)
      let store = try open(temporary, DeepWithNote.P.self)
      #expect(try store.fetch(DeepWithNote.P.all).map(\.spot.inner) == [.init(y: 2, x: 1)])
    }
  }

  @Test func aRenameThatTwoFieldsFitIsRefusedWhereThereAreObjects() throws {
    try withTemporaryStore(of: SidesApart.P.self, checksAtEnd: false) { temporary in
      try temporary.open()
        .write { try $0.insert(SidesApart.P(id: 1, spot: .init(x: 1), place: .init(y: 2))) }
      let before = try Data(contentsOf: temporary.url)
      let error = StoreError.thrown { _ = try open(temporary, SidesAsOne.P.self) }
      guard case .schemaMismatch("P", "place.x", let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      for words in ["spot.x", "place.y", "first with one of the renames"] {
        #expect(reason.contains(words), "\(reason)")
      }
      #expect(try Data(contentsOf: temporary.url) == before)
      try temporary.open().write { _ = try $0.delete(SidesApart.P.self, 1) }
      #expect(try open(temporary, SidesAsOne.P.self).count(SidesAsOne.P.all) == 0)
    }
  }
}
