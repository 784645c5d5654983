import Foundation

/// What a process did to the ledger, and what it found.
struct LedgerTally: Codable {
  /// The numbers of each writer's writes that returned.
  var acknowledged: [Int: Set<Int>] = [:]
  var views = 0
  var snapshots = 0
  var copies = 0
  var changes = 0
  var commits = 0
  var retries = 0
  /// Writes that returned and were not to be seen afterwards, in words.
  var lost: [String] = []
  /// What no order of whole transactions could have led to, in words.
  var wrong: [String] = []

  /// The last of each writer's.
  var lasts: [Int: Int] { acknowledged.compactMapValues { $0.max() } }
  var writes: Int { acknowledged.values.reduce(0) { $0 + $1.count } }

  /// Notes that a write returned, which none has done with the same number.
  mutating func acknowledge(_ writer: Int, _ number: Int) {
    if !acknowledged[writer, default: []].insert(number).inserted {
      wrong.append("two writes of \(writer) were told number \(number)")
    }
  }

  /// Notes what a view misses of the writes that had returned before it began.
  mutating func check(_ view: LedgerView, knowing known: [Int: Int], _ place: String) {
    views += 1
    let lasts = view.lasts
    for (writer, last) in known where lasts[writer] ?? 0 < last {
      lost.append("\(place): number \(last) of writer \(writer), \(lasts[writer] ?? 0) is there")
    }
    wrong += view.problems.map { "\(place): \($0)" }
  }

  /// Adds what another process did.
  mutating func add(_ other: LedgerTally) {
    acknowledged.merge(other.acknowledged) { $0.union($1) }
    (views, snapshots) = (views + other.views, snapshots + other.snapshots)
    (copies, changes) = (copies + other.copies, changes + other.changes)
    (commits, retries) = (commits + other.commits, retries + other.retries)
    lost += other.lost
    wrong += other.wrong
  }
}

extension LedgerTally: CustomStringConvertible {
  var description: String {
    "\(writes) writes, \(views) views, \(snapshots) snapshots, \(copies) copies, "
      + "\(changes) changes told, \(commits) commits told, \(retries) retries"
  }
}

extension LedgerTally {
  /// Where a process leaves it beside the store.
  private static func url(_ store: URL, _ process: Int) -> URL {
    store.deletingLastPathComponent().appending(path: "tally \(process)")
  }

  init(of process: Int, beside store: URL) throws {
    self = try JSONDecoder().decode(
      Self.self, from: try Data(contentsOf: Self.url(store, process)))
  }

  func save(for process: Int, beside store: URL) throws {
    try JSONEncoder().encode(self).write(to: Self.url(store, process))
  }
}
