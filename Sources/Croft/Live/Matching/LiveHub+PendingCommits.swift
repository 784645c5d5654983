/// The commits on their way to the hub, in the order of their sequences.
///
/// A value without threads or locks. A commit is announced before it is made, and arrives when it
/// is durable: one that arrives early waits for those announced before it.
extension LiveHub {
  struct PendingCommits {
    /// The bytes of captures that wait at most; past them what they say is read from the store.
    static var longestBytes: Int { Threshold.inboxBytes.value }

    private struct Entry {
      let sequence: UInt64
      /// Nil until the commit is durable.
      var record: PendingCommit?
    }

    private var entries: [Entry] = []
    /// The bytes of the captures that wait.
    private(set) var byteCount = 0
    /// The bound; smaller in tests.
    var longestBytes = PendingCommits.longestBytes
    /// The last commit that is known to exist: one that was dropped here, or heard of.
    private(set) var lastHeard: UInt64 = 0

    /// The newest commit that arrived.
    private(set) var lastArrived: UInt64 = 0

    /// How many commits wait.
    var count: Int { entries.count }

    /// A commit is about to be made.
    mutating func announce(_ sequence: UInt64) { enter(Entry(sequence: sequence, record: nil)) }

    /// An announced commit failed.
    mutating func withdraw(_ sequence: UInt64) {
      // What is announced stands at the end, however many wait before it.
      let place = entries.lastIndex { $0.sequence == sequence && $0.record == nil }
      if let place { entries.remove(at: place) }
    }

    /// A commit is durable, announced or not.
    mutating func add(_ record: PendingCommit) {
      withdraw(record.sequence)
      enter(Entry(sequence: record.sequence, record: record))
      lastArrived = max(lastArrived, record.sequence)
      byteCount += record.byteCount
      if byteCount > longestBytes { drop() }
    }

    /// Somebody else says that there is a commit.
    mutating func hear(of sequence: UInt64) { lastHeard = max(lastHeard, sequence) }

    /// Takes the commits that arrived, as far as none is missing that was announced.
    mutating func take() -> [PendingCommit] {
      let end = entries.firstIndex { $0.record == nil } ?? entries.count
      let records = entries[..<end].compactMap(\.record)
      entries.removeFirst(end)
      byteCount -= records.reduce(0) { $0 + $1.byteCount }
      return records
    }

    /// Whether a commit up to a sequence is announced, and has yet to arrive.
    func awaits(through sequence: UInt64) -> Bool {
      entries.contains { $0.sequence <= sequence && $0.record == nil }
    }

    /// Forgets all.
    mutating func clear() {
      entries.removeAll { $0.record != nil }
      byteCount = 0
    }

    private mutating func enter(_ entry: Entry) {
      let place = entries.lastIndex { $0.sequence <= entry.sequence }.map { $0 + 1 } ?? 0
      entries.insert(entry, at: place)
    }

    /// Drops what waits, because the hub does not keep up.
    private mutating func drop() {
      CoverageMark.hit(.inboxDropped)
      for entry in entries where entry.record != nil { hear(of: entry.sequence) }
      clear()
    }
  }
}
