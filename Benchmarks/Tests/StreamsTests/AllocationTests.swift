import Streams
import Testing

/// The bounds on what Reactive allocates: counted, so the same on every machine.
@Suite struct AllocationTests {
  @Test(.enabled(if: Meter.countsAllocations), arguments: StreamRow.all.map(\.name))
  func reactiveAllocatesNoMoreThanItsRowAllows(name: String) throws {
    let row = try #require(StreamRow.named(name)?.first)
    // What the first round makes once for the process is not the row's.
    _ = row.round(of: ReactiveStreams.self, size: 1000)
    let sample = try #require(row.round(of: ReactiveStreams.self, size: 1000))
    // A chain that is built in the measured part is spread over its events.
    #expect(sample.allocations < row.allowedAllocations + 0.01)
  }

  @Test(.enabled(if: Meter.countsAllocations))
  func theMeterCountsAllocations() {
    let meter = Meter()
    var kept: [AnyObject] = []
    kept.reserveCapacity(100)
    meter.measure { for _ in 0..<100 { kept.append(Thing()) } }
    #expect(meter.allocations == 100)
    #expect(meter.nanoseconds > 0)
  }
}

private final class Thing {}
