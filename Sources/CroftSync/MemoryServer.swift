import Croft

/// The server's rules in memory: one sequence of pushes, each compared with what is there.
///
/// It is to PostgreSQL's function what a twin is to a store: written on its own, for tests.
final class MemoryServer {
  private(set) var version: UInt64 = 0
  private(set) var floor: UInt64 = 0
  private(set) var rows: [ObjectKey: ServerRow] = [:]
  /// The replica that may push next, and until when.
  private var holder: (replica: UInt16, until: Double)?
  /// Seconds of the server's clock.
  var now = 0.0
  private let laws: Laws

  init(laws: Laws = .all) { self.laws = laws }

  func push(_ request: PushRequest) -> PushAnswer {
    if let holder, holder.replica != request.replica, holder.until > now { return .held }
    func refuse(_ answer: PushAnswer) -> PushAnswer {
      holder = (request.replica, now + 2)
      return answer
    }
    if request.isStrict, request.cursor != version { return refuse(.behind) }
    if laws.contains(.references) {
      for object in request.references {
        guard let row = rows[object], !row.isDeleted else { return .reference }
      }
    }
    if laws.contains(.compareAndSet) {
      for row in request.rows where rows[row.object]?.version ?? 0 != row.base {
        return refuse(.conflict)
      }
    }
    version += 1
    for row in request.rows {
      var written = row.row
      written.version = version
      rows[row.object] = written
    }
    if holder?.replica == request.replica { holder = nil }
    return .accepted(version: version)
  }

  /// The rows after a position, at most `limit` of them.
  ///
  /// Where tombstones are missing that the replica has not seen, all rows are sent.
  func pull(
    after position: PullAnswer.Position, cursor: UInt64, limit: Int
  ) -> PullAnswer {
    let isFull = laws.contains(.absence) && cursor < floor
    let isFirst = position == PullAnswer.Position(cursor)
    let start = isFull && isFirst ? PullAnswer.Position(0) : position
    let later = rows.sorted { ($0.value.version, $0.key) < ($1.value.version, $1.key) }
      .filter { PullAnswer.Position($0.value.version, $0.key) > start }
    return PullAnswer(
      after: position, version: version, floor: floor, isFull: isFull,
      rows: later.prefix(limit).map { ($0.key, $0.value) }, isPart: later.count > limit)
  }

  /// Forgets tombstones up to a version.
  func collect(before version: UInt64) {
    floor = max(floor, version)
    rows = rows.filter { !$0.value.isDeleted || $0.value.version > floor }
  }
}
