import Testing
import TestSupport

@testable import Croft

@Model struct Lap: Hashable {
  @PrimaryKey var id: Int = 0
  @Indexed var time: Duration = .zero
  var pause: Duration? = nil
  @Indexed var splits: [Duration] = []
}

/// A model whose primary key is a duration.
@Model private struct Sprint: Equatable {
  @PrimaryKey var length: Duration
}

@Suite(.keepsFailedStores) struct DurationTests {
  @Test func durationsComeBackInTheirOrderToTheNanosecond() throws {
    var random = SeededGenerator.forTest("durations")
    let limits: [Duration] = [
      .nanoseconds(Int64.min), .nanoseconds(Int64.max), .zero, .nanoseconds(-1),
    ]
    try withStore(of: Lap.self) { store in
      let laps = (0..<300).map { id in
        let time =
          limits.indices.contains(id)
          ? limits[id] : .nanoseconds(Int64.random(in: .min ... .max, using: &random))
        return Lap(
          id: id, time: time,
          pause: id % 3 == 0 ? nil : time / 2 * 2 == time ? .milliseconds(id) : nil,
          splits: [.seconds(id), .seconds(-id)])
      }
      try store.write { try $0.insert(contentsOf: laps) }
      #expect(try store.fetch(Lap.all) == laps, "CROFT_SEED=\(random.seed)")
      #expect(
        try store.fetch(Lap.all.order(by: \.time)).map(\.time) == laps.map(\.time).sorted())
      let middle = laps[100].time
      #expect(try store.count(Lap.where { $0.time < middle }) == laps.count { $0.time < middle })
      #expect(try store.fetch(Lap.where { $0.splits.any { $0 == .seconds(-7) } }).map(\.id) == [7])
      #expect(try store.verify().isSound)
    }
  }

  @Test func whatIsFinerIsRoundedAndWhatIsLongerIsRefused() throws {
    try withStore(of: Lap.self) { store in
      let fine = Duration(secondsComponent: 1, attosecondsComponent: 1_500_000_000)
      let below = Duration(secondsComponent: -1, attosecondsComponent: -1_500_000_000)
      try store.write {
        try $0.insert(contentsOf: [Lap(id: 1, time: fine), Lap(id: 2, time: below)])
      }
      #expect(try store.get(Lap.self, 1)?.time == .nanoseconds(1_000_000_002))
      #expect(try store.get(Lap.self, 2)?.time == .nanoseconds(-1_000_000_002))
      try store.write { tx throws in
        for (lap, field) in [
          (Lap(id: 3, time: .seconds(Int64.max)), "time"),
          (Lap(id: 3, pause: .seconds(-1 << 40)), "pause"),
        ] {
          let error = #expect(throws: StoreError.self) { try tx.insert(lap) }
          guard case .cannotEncode("Lap", field, let reason) = error else {
            Issue.record("\(String(describing: error))")
            continue
          }
          #expect(reason.contains("292 years"))
        }
        #expect(throws: StoreError.self) {
          try tx.insert(Lap(id: 3, splits: [.seconds(Int64.max)]))
        }
        #expect(try tx.get(Lap.self, 3) == nil)
      }
    }
  }

  /// A longer constant was compared as the longest duration that a row can hold: an object with that one
  /// was equal to it, and as a primary key it found that object.
  @Test func durationsThatNoRowCanHoldAreEqualToNone() throws {
    let most = Duration.nanoseconds(Int64.max), least = Duration.nanoseconds(Int64.min)
    let (long, short) = (Duration.seconds(1e15), Duration.seconds(-1e15))
    try withStore(of: Lap.self, Sprint.self) { store in
      try store.write { tx in
        for (id, time) in [most, .zero, least].enumerated() {
          try tx.insert(
            Lap(id: id, time: time, pause: id == 1 ? nil : time, splits: [time, .zero]))
          try tx.insert(Sprint(length: time))
        }
      }
      func ids(_ condition: QueryCondition<Lap>) throws -> [Int] {
        try store.fetch(Lap.where { _ in condition }.order(by: \.id)).map(\.id)
      }
      let lap = QueryColumn<Lap, Lap>(nil)
      #expect(try ids(lap.time == long) == [] && ids(lap.time != long) == [0, 1, 2])
      #expect(try ids(lap.time < long) == [0, 1, 2] && ids(lap.time <= long) == [0, 1, 2])
      #expect(try ids(lap.time > long) == [] && ids(lap.time >= long) == [])
      #expect(try ids(lap.time > short) == [0, 1, 2] && ids(lap.time < short) == [])
      #expect(try ids(lap.time.between(short, long)) == [0, 1, 2])
      #expect(
        try ids(lap.time.in(.zero...long)) == [0, 1] && ids(lap.time.in(short..<long)) == [0, 1, 2])
      #expect(try ids(lap.time.in([long, .zero, short])) == [1])
      #expect(try ids(lap.pause == long) == [] && ids(lap.pause < long) == [0, 2])
      #expect(try ids(lap.splits.contains(long)) == [] && ids(lap.splits == [long, .zero]) == [])
      #expect(try ids(lap.splits.any { $0 < long }) == [0, 1, 2])
      #expect(try store.get(Sprint.self, long) == nil && store.get(Sprint.self, short) == nil)
      try store.write { tx throws in
        #expect(try !tx.delete(Sprint.self, long) && !tx.delete(Sprint.self, short))
      }
      #expect(try store.count(Sprint.where { $0.length == long }) == 0)
      #expect(try store.count(Sprint.all) == 3)
    }
  }

  @Test func durationsAreAddedUp() throws {
    try withStore(of: Lap.self) { store in
      try store.write {
        try $0.insert(
          contentsOf: (1...4).map {
            Lap(
              id: $0, time: .seconds($0), pause: $0 == 2 ? nil : .milliseconds($0),
              splits: [.seconds($0), .seconds(2)])
          })
      }
      #expect(try store.fetch(Lap.all.sum(\.time)) == .seconds(10))
      #expect(try store.fetch(Lap.all.sum(\.pause)) == .milliseconds(8))
      #expect(try store.fetch(Lap.all.average(\.time)) == 2.5)
      #expect(try store.fetch(Lap.all.max(\.time)) == .seconds(4))
      #expect(
        try store.read {
          try $0.fetch(Lap.all.grouped(by: \.pause, .sum(\.time), .average(\.time)))
        }.first?.values.1 == 2)
      #expect(try store.count(Lap.where { $0.splits.sum > .seconds(4) }) == 2)
      try store.write {
        try $0.insert(contentsOf: [5, 6].map { Lap(id: $0, time: .nanoseconds(Int64.max)) })
      }
      #expect(throws: StoreError.overflow(model: "Lap", field: "time")) {
        try store.fetch(Lap.all.sum(\.time))
      }
    }
  }
}
