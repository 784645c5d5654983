import Foundation
import Testing
import TestSupport

@testable import Croft

@Model private struct Measure: Equatable {
  @PrimaryKey var id: Int
  var value: Double
  var other: Double?
  var list: [Double]

  static func numbered(_ numbers: Range<Int>) -> [Measure] {
    numbers.map { Measure(id: $0, value: Double($0), other: nil, list: [Double($0)]) }
  }
}

/// Queries whose conditions have the constant NaN, with which no value compares.
@Suite(.keepsFailedStores) struct LiveQueryNaNTests {
  /// Conditions with NaN in each form that a condition has, and what they select of six measures.
  private let queries: [(query: Query<Measure>, count: Int)] = [
    (Measure.where { $0.value != .nan }, 6),
    (Measure.where { $0.value == .nan }, 0),
    (Measure.where { ($0.other ?? .nan) == 1 }, 0),
    (Measure.where { ($0.value + .nan) < 5 }, 0),
    (Measure.where { $0.value.in([2, .nan]) }, 1),
    (Measure.where { $0.list == [.nan] }, 0),
    (Measure.where { $0.list != [3, .nan] }, 6),
    (Measure.where { $0.list.any { $0 == .nan } }, 0),
  ]

  /// The identity of such a query was not equal to itself: observed together with another one it was
  /// told as empty for ever.
  @Test func aQueryWithNaNIsToldTogetherWithAnother() throws {
    try withStore(of: Measure.self) { store in
      try store.write { try $0.insert(contentsOf: Measure.numbered(0..<6)) }
      for (query, count) in queries {
        let counts = Recorder<[Int]>()
        let token = store.observe(CombinedRequest(query, Measure.all)) {
          counts.add([$0.after.count, $1.after.count])
        }
        store.live.drain()
        #expect(counts.all == [[count, 6]], "\(query)")
        #expect(token.error == nil)
      }
    }
  }

  /// For the same reason a cancelled observer of it was never removed: its result stayed in memory,
  /// and each commit updated it.
  @Test func aCancelledObserverOfAQueryWithNaNIsRemoved() throws {
    try withStore(of: Measure.self) { store in
      try store.write { try $0.insert(contentsOf: Measure.numbered(0..<6)) }
      for (query, count) in queries {
        let counts = Recorder<Int>()
        let tokens = (0..<3).map { _ in store.observe(query) { counts.add($0.after.count) } }
        store.live.drain()
        #expect(counts.all == [count, count, count], "\(query)")
        #expect(store.live.inspect { $0.queries.count } == 1, "observers share one result")
        for token in tokens { token.cancel() }
        store.live.drain()
        #expect(store.live.inspect { $0.isEmpty }, "\(query)")
      }
    }
  }

  /// Values are the same where a query's observers share a result; conditions compare as Swift does.
  @Test func aValueIsTheSameAsItselfAndConditionsFollowSwift() throws {
    let values: [StoredValue] = [
      .double(.nan), .date(.nan), .list([.double(.nan), .none]), .double(0), .none, .decimal(.nan),
    ]
    for value in values { #expect(value == value && Set([value]).contains(value)) }
    #expect(StoredValue.double(0) == .double(-0.0))
    #expect(Set([StoredValue.double(-.nan), .double(.nan), .double(0), .double(-0.0)]).count == 2)
    #expect(StoredValue.double(0) != .date(0) && StoredValue.double(.nan) != .date(.nan))
    try withStore(of: Measure.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: Measure.numbered(0..<6))
        try tx.insert(Measure(id: 6, value: .nan, other: .nan, list: [.nan]))
      }
      #expect(try store.count(Measure.where { $0.value == .nan }) == 0)
      #expect(try store.count(Measure.where { $0.value != .nan }) == 7)
      #expect(try store.fetch(Measure.where { $0.value.in([2, .nan]) }).map(\.id) == [2])
      #expect(try store.count(Measure.where { $0.other.in([nil, .nan]) }) == 6)
      #expect(try store.count(Measure.where { $0.list == [.nan] }) == 0)
      #expect(try store.count(Measure.where { $0.list != [.nan] }) == 7)
      #expect(try store.count(Measure.where { $0.list.any { $0.in([.nan, 4]) } }) == 1)
    }
  }
}
