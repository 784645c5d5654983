import Testing
import TestSupport

@testable import TodoKit
import TodoTestSupport

@Suite("OrderKeys")
struct OrderKeysTests {
  @Test func placesLieInAscendingOrderBetweenTheirNeighbours() throws {
    var generator = SeededGenerator()
    for _ in 0..<2000 {
      let lower = Int64.random(in: -(1 << 40)...(1 << 40), using: &generator)
      let upper = lower + Int64.random(in: 1...(1 << 20), using: &generator)
      let count = Int.random(in: 1...50, using: &generator)
      guard let places = OrderKeys.keys(count, between: lower, and: upper) else {
        // Only where there is truly little room.
        #expect(upper - lower < 2 * Int64(count + 1), "seed \(generator.seed)")
        continue
      }
      #expect(places.count == count)
      let line = [lower] + places + [upper]
      #expect(zip(line, line.dropFirst()).allSatisfy { $0 < $1 }, "seed \(generator.seed)")
      #expect(!places.contains(0))
    }
  }

  @Test func theEndsAreOpen() {
    let gap = OrderKeys.gap
    #expect(OrderKeys.keys(2, between: nil, and: nil) == [gap, 2 * gap])
    #expect(OrderKeys.keys(2, between: 5, and: nil) == [5 + gap, 5 + 2 * gap])
    #expect(OrderKeys.keys(2, between: nil, and: 5) == [5 - 2 * gap, 5 - gap])
    #expect(OrderKeys.keys(0, between: 5, and: 6) == [])
  }

  @Test func nothingIsPutAtZero() {
    #expect(OrderKeys.keys(1, between: -2, and: 2) == [1])
    #expect(OrderKeys.keys(1, between: nil, and: OrderKeys.gap) == [1])
    #expect(OrderKeys.keys(3, between: -4, and: 4) == [-2, 1, 2])
  }

  @Test func whereThereIsNoRoomThereIsNoPlace() {
    #expect(OrderKeys.keys(1, between: 5, and: 6) == nil)
    #expect(OrderKeys.keys(1, between: 5, and: 8) == nil)
    #expect(OrderKeys.keys(1, between: 5, and: 9) == [7])
    #expect(OrderKeys.keys(1, between: 6, and: 5) == nil)
    #expect(OrderKeys.keys(1, between: .max - 1, and: nil) == nil)
    #expect(OrderKeys.keys(1, between: nil, and: .min + 1) == nil)
    #expect(OrderKeys.keys(4, between: 0, and: 400, gap: 100) == nil)
    #expect(OrderKeys.keys(1, between: .min, and: .max) == [-1])
  }
}
