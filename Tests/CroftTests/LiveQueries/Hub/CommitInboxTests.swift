import Testing

@testable import Croft

/// The order in which commits reach the hub, whatever the order in which they are told.
@Suite(.keepsFailedStores) struct CommitInboxTests {
  /// An inbox to which commits of so many bytes of capture come.
  private func withInbox(
    _ body: (inout LiveHub.PendingCommits, (UInt64, Int) -> PendingCommit) throws -> Void
  ) throws {
    try withStore(of: Song.self) { store in
      let catalog = store.knownCatalog
      var inbox = LiveHub.PendingCommits()
      try body(&inbox) { sequence, byteCount in
        let capture = ChangeCapture(of: catalog) { _ in .rows }
        capture.bytes.count = byteCount
        return PendingCommit(sequence: sequence, catalog: catalog, capture: capture)
      }
    }
  }

  @Test func commitsComeOutInTheOrderOfTheirSequences() throws {
    try withInbox { inbox, record in
      for sequence in [3, 1, 2] as [UInt64] { inbox.add(record(sequence, 0)) }
      #expect(inbox.take().map(\.sequence) == [1, 2, 3])
      #expect(inbox.take().isEmpty && inbox.count == 0)
      #expect(inbox.lastArrived == 3)
    }
  }

  @Test func aCommitWaitsForOneThatWasAnnouncedBeforeIt() throws {
    try withInbox { inbox, record in
      inbox.add(record(1, 0))
      inbox.announce(2)
      inbox.announce(3)
      inbox.add(record(3, 0))
      #expect(inbox.take().map(\.sequence) == [1])
      #expect(!inbox.awaits(through: 1) && inbox.awaits(through: 2) && inbox.awaits(through: 9))
      inbox.add(record(2, 0))
      #expect(!inbox.awaits(through: 9))
      #expect(inbox.take().map(\.sequence) == [2, 3])
    }
  }

  @Test func aCommitThatFailedKeepsNobodyWaiting() throws {
    try withInbox { inbox, record in
      inbox.announce(1)
      inbox.announce(2)
      inbox.add(record(2, 0))
      inbox.withdraw(1)
      // What was not announced, or has arrived, is not withdrawn.
      inbox.withdraw(2)
      inbox.withdraw(7)
      #expect(inbox.take().map(\.sequence) == [2])
    }
  }

  @Test func aSequenceThatIsAnnouncedAgainIsOne() throws {
    try withInbox { inbox, record in
      inbox.announce(1)
      inbox.withdraw(1)
      inbox.announce(1)
      inbox.add(record(1, 0))
      #expect(inbox.take().map(\.sequence) == [1])
      #expect(inbox.count == 0)
    }
  }

  @Test func pastTheBoundCommitsAreOnlyHeardOf() throws {
    try withInbox { inbox, record in
      inbox.longestBytes = 200
      inbox.add(record(1, 100))
      inbox.add(record(2, 100))
      #expect(inbox.byteCount == 200 && inbox.lastHeard == 0)
      inbox.announce(3)
      inbox.announce(4)
      inbox.add(record(3, 1))
      #expect(inbox.lastHeard == 3 && inbox.byteCount == 0)
      // One on its way is still waited for.
      #expect(inbox.count == 1 && inbox.awaits(through: 4))
      inbox.add(record(4, 50))
      #expect(inbox.take().map(\.sequence) == [4])
      #expect(inbox.byteCount == 0)
    }
  }

  @Test func whatIsClearedLeavesThoseOnTheirWay() throws {
    try withInbox { inbox, record in
      inbox.add(record(1, 10))
      inbox.announce(2)
      inbox.clear()
      #expect(inbox.count == 1 && inbox.byteCount == 0)
      inbox.add(record(2, 10))
      #expect(inbox.take().map(\.sequence) == [2])
    }
  }

  @Test func theLastThatWasHeardOfCounts() throws {
    try withInbox { inbox, _ in
      inbox.hear(of: 5)
      inbox.hear(of: 3)
      #expect(inbox.lastHeard == 5 && inbox.take().isEmpty)
    }
  }
}
