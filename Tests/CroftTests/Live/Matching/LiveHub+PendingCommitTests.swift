import Testing

@testable import Croft

/// The order in which commits reach the hub, whatever the order in which they arrive.
@Suite(.keepsFailedStores) struct LiveHubPendingCommitTests {
  /// Pending commits, and a function that makes one with a number of captured bytes.
  private func withCommits(
    _ body: (inout LiveHub.PendingCommits, (UInt64, Int) -> LiveHub.PendingCommit) throws -> Void
  ) throws {
    try withStore(of: Song.self) { store in
      let catalog = store.knownCatalog
      var pending = LiveHub.PendingCommits()
      try body(&pending) { sequence, byteCount in
        let capture = ChangeCapture(of: catalog) { _ in .rows }
        capture.bytes.count = byteCount
        return LiveHub.PendingCommit(sequence: sequence, catalog: catalog, capture: capture)
      }
    }
  }

  @Test func commitsComeOutInTheOrderOfTheirSequences() throws {
    try withCommits { pending, record in
      for sequence in [3, 1, 2] as [UInt64] { pending.add(record(sequence, 0)) }
      #expect(pending.take().map(\.sequence) == [1, 2, 3])
      #expect(pending.take().isEmpty && pending.count == 0)
      #expect(pending.lastArrived == 3)
    }
  }

  @Test func aCommitWaitsForOneThatWasExpectedBeforeIt() throws {
    try withCommits { pending, record in
      pending.add(record(1, 0))
      pending.expect(2)
      pending.expect(3)
      pending.add(record(3, 0))
      #expect(pending.take().map(\.sequence) == [1])
      #expect(
        !pending.expects(through: 1) && pending.expects(through: 2) && pending.expects(through: 9))
      pending.add(record(2, 0))
      #expect(!pending.expects(through: 9))
      #expect(pending.take().map(\.sequence) == [2, 3])
    }
  }

  @Test func aCommitThatFailedKeepsNobodyWaiting() throws {
    try withCommits { pending, record in
      pending.expect(1)
      pending.expect(2)
      pending.add(record(2, 0))
      pending.cancel(1)
      // What was not expected, or has arrived, is not cancelled.
      pending.cancel(2)
      pending.cancel(7)
      #expect(pending.take().map(\.sequence) == [2])
    }
  }

  @Test func aSequenceThatIsExpectedAgainIsOne() throws {
    try withCommits { pending, record in
      pending.expect(1)
      pending.cancel(1)
      pending.expect(1)
      pending.add(record(1, 0))
      #expect(pending.take().map(\.sequence) == [1])
      #expect(pending.count == 0)
    }
  }

  @Test func pastTheBoundCommitsAreOnlyHeardOf() throws {
    try withCommits { pending, record in
      pending.longestBytes = 200
      pending.add(record(1, 100))
      pending.add(record(2, 100))
      #expect(pending.byteCount == 200 && pending.lastKnown == 0)
      pending.expect(3)
      pending.expect(4)
      pending.add(record(3, 1))
      #expect(pending.lastKnown == 3 && pending.byteCount == 0)
      // The expected one is still waited for.
      #expect(pending.count == 1 && pending.expects(through: 4))
      pending.add(record(4, 50))
      #expect(pending.take().map(\.sequence) == [4])
      #expect(pending.byteCount == 0)
    }
  }

  @Test func whatIsClearedLeavesThoseOnTheirWay() throws {
    try withCommits { pending, record in
      pending.add(record(1, 10))
      pending.expect(2)
      pending.clear()
      #expect(pending.count == 1 && pending.byteCount == 0)
      pending.add(record(2, 10))
      #expect(pending.take().map(\.sequence) == [2])
    }
  }

  @Test func theLastThatWasHeardOfCounts() throws {
    try withCommits { pending, _ in
      pending.note(5)
      pending.note(3)
      #expect(pending.lastKnown == 5 && pending.take().isEmpty)
    }
  }
}
