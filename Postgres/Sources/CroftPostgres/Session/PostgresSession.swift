import CroftSync
import Foundation

/// A session of one replica with one space, over one connection.
///
/// Threads: any; calls follow one another.
struct PostgresSession: SyncSession {
  let connection: PostgresConnection
  let space: UUID
  let deadline: Duration
  /// With so many bytes of rows an answer to a pull ends.
  let mostBytes: Int

  var wakes: AsyncStream<Void> { connection.wakes }

  func close() async { await connection.close() }

  func hello(_ hello: SyncHello) async throws -> SyncServerState {
    try await call { try await greet(hello) }
  }

  func upload(_ part: SyncPush.Part, number: Int, of push: UUID) async throws {
    try await call {
      let places = PostgresStatement.places(11)
      _ = try await run(
        PostgresStatement(
          "SELECT croft.upload(\(places))",
          [.uuid(space), .uuid(push), .int4(Int32(clamping: number))] + part.values))
    }
  }

  func push(_ push: SyncPush, limit: Int) async throws -> SyncPushAnswer {
    try await call { try await write(push, limit: limit) }
  }

  func pull(
    after position: SyncPosition, cursor: UInt64, limit: Int
  ) async throws -> SyncPullAnswer {
    try await call { try await read(after: position, cursor: cursor, limit: limit) }
  }
}

// MARK: - Opening

extension PostgresSession {
  /// Connects, refuses a schema of a newer program, and begins to listen to the space, unless very many do.
  init(_ server: PostgresServer, space: UUID) async throws {
    let connection = try await PostgresConnection.open(server)
    (self.connection, self.space) = (connection, space)
    (deadline, mostBytes) = (server.deadline, server.mostBytes)
    do {
      try await Postgres.checkVersion(on: connection, within: server.deadline)
      let rows = try await connection.run(
        PostgresStatement(
          "SELECT numbackends FROM pg_stat_database WHERE datname = current_database()"),
        within: server.deadline)
      try rows.check(.int4)
      if try rows.int4(rows.only(), 0) > server.mostListeners { return }
      // A pooler may not take it; replicas also pull from time to time.
      _ = try await connection.run(
        [PostgresStatement("LISTEN \"croft_\(space.uuidString.lowercased())\"")],
        within: server.deadline)
    } catch {
      await connection.close()
      throw error
    }
  }

  /// Does something whose errors become those that a replica knows.
  ///
  /// After all but a refusal the connection is closed: the state of the server is not known.
  private func call<R>(_ body: () async throws -> R) async throws -> R {
    do { return try await body() } catch {
      let error = SyncError(error)
      if error != .forbidden, error != .noSuchSpace { await connection.close() }
      throw error
    }
  }

  private func run(_ statement: PostgresStatement) async throws -> PostgresRows {
    try await connection.run(statement, within: deadline)
  }
}

// MARK: - Requests

extension PostgresSession {
  private func greet(_ hello: SyncHello) async throws -> SyncServerState {
    var statements = [
      PostgresStatement(
        "CALL croft.hello(\(PostgresStatement.places(4)))", .uuid(space), .uuid(hello.replica),
        .uuid(hello.next), .int8s(hello.versions.map { Int64(clamping: $0) }))
    ]
    // After the hello no push of the session before is written any more.
    if let push = hello.unanswered {
      statements.append(
        PostgresStatement(
          "SELECT p.version FROM croft.pushes p WHERE p.space = $1 AND p.id = $2", .uuid(space),
          .uuid(push)))
    }
    let answers = try await connection.run(statements, within: deadline).map { try $0.get() }
    let rows = answers[0]
    try rows.check(.text, .int4, .bool, .int8, .int8, .int8s, .uuids, .timestamp)
    let row = try rows.only()
    guard try rows.text(row, 0) == "ok" else { throw SyncError.noSuchSpace }
    let (versions, pushes) = (try rows.int8s(row, 5), try rows.uuids(row, 6))
    guard versions.count == pushes.count, let number = UInt16(exactly: try rows.int4(row, 1)) else {
      throw PostgresError.invalidAnswer(reason: "a hello with other counts or numbers")
    }
    var known = Dictionary(zip(versions.map { UInt64(clamping: $0) }, pushes)) { first, _ in first }
    if let push = hello.unanswered, let found = answers.last {
      try found.check(.int8)
      if found.count > 0 { known[try found.version(found.only(), 0)] = push }
    }
    return SyncServerState(
      format: Postgres.version, version: try rows.version(row, 3), floor: try rows.version(row, 4),
      time: try rows.time(row, 7), number: number, isWritable: try rows.bool(row, 2), pushes: known)
  }

  /// The push and a pull in one flight.
  private func write(_ push: SyncPush, limit: Int) async throws -> SyncPushAnswer {
    let statement = PostgresStatement(
      "CALL croft.push(\(PostgresStatement.places(14)))",
      [
        .uuid(space), .uuid(push.replica), .uuid(push.id), .int8(Int64(clamping: push.cursor)),
        .bool(push.isStrict), .int4(Int32(clamping: push.uploadedParts)),
      ] + push.last.values)
    let position = SyncPosition(push.cursor)
    let pull = PostgresStatement.pulling(
      after: position, of: space, cursor: push.cursor, limit: limit, bytes: mostBytes,
      besides: push.id)
    // Uploaded parts have to be written too.
    let answers = try await connection.run(
      [statement] + pull, within: deadline + .seconds(2 * push.uploadedParts)
    ).map { try $0.get() }
    let rows = answers[0]
    try rows.check(.text, .int8, .timestamp)
    let row = try rows.only()
    let status: SyncPushAnswer.Status =
      switch try rows.text(row, 0) {
      case "ok": .accepted
      case "overtaken": .overtaken
      case "conflict": .conflict
      case "reference": .missingReference
      case "held": .held
      case "unknown": .unknownReplica
      case "nospace": throw SyncError.noSuchSpace
      default: throw PostgresError.invalidAnswer(reason: "a push with another status")
      }
    return SyncPushAnswer(
      status: status, version: try rows.version(row, 1), time: try rows.time(row, 2),
      pull: try pulled(answers.dropFirst(), after: position, limit: limit))
  }

  private func read(
    after position: SyncPosition, cursor: UInt64, limit: Int
  ) async throws -> SyncPullAnswer {
    let answers = try await connection.run(
      PostgresStatement.pulling(
        after: position, of: space, cursor: cursor, limit: limit, bytes: mostBytes),
      within: deadline
    ).map { try $0.get() }
    return try pulled(answers[...], after: position, limit: limit)
  }

  /// What the statements of a pull have given.
  private func pulled(
    _ answers: ArraySlice<PostgresRows>, after position: SyncPosition, limit: Int
  ) throws -> SyncPullAnswer {
    let (state, rows) = (answers[answers.startIndex + 2], answers[answers.startIndex + 3])
    try state.check(.int8, .int8, .timestamp, .uuid, .uuid, .int4)
    // The space's row is seen by its members only.
    guard state.count > 0 else { throw SyncError.forbidden }
    let row = try state.only()
    // The owner may have installed a newer one since the session began.
    try Postgres.check(version: Int(try state.int4(row, 5)))
    let version = try state.version(row, 0)
    try rows.check(.int4, .bytea, .int8, .bool, .bytea, .bytea)
    var answer = SyncPullAnswer(
      rows: [], isPart: rows.count == limit, version: version, floor: try state.version(row, 1),
      time: try state.time(row, 2), push: state.isNull(row, 3) ? nil : try state.uuid(row, 3),
      pushAtCursor: state.isNull(row, 4) ? nil : try state.uuid(row, 4))
    answer.rows.reserveCapacity(rows.count)
    var last = position
    var size = 0
    for row in 0..<rows.count {
      let next = try rows.row(row)
      let place = SyncPosition(next.version, next.object)
      guard last < place, next.version <= version, row < limit, size < mostBytes else {
        throw PostgresError.invalidAnswer(reason: "rows in another order, or too many")
      }
      answer.rows.append(next)
      last = place
      size += next.byteCount
    }
    if size >= mostBytes { answer.isPart = true }
    return answer
  }
}

// MARK: - Rows and statements

extension PostgresRows {
  fileprivate func version(_ row: Int, _ column: Int) throws -> UInt64 {
    UInt64(clamping: try int8(row, column))
  }

  fileprivate func time(_ row: Int, _ column: Int) throws -> UInt64 {
    UInt64(clamping: try milliseconds(row, column))
  }

  fileprivate func row(_ row: Int) throws -> SyncRow {
    guard let model = UInt32(exactly: try int4(row, 0)) else {
      throw PostgresError.invalidAnswer(reason: "a model without a number")
    }
    return SyncRow(
      object: SyncObject(model: model, key: try bytes(row, 1)), version: try version(row, 2),
      isDeleted: try bool(row, 3), stamps: try bytes(row, 4),
      fields: isNull(row, 5) ? nil : try bytes(row, 5))
  }
}

extension PostgresStatement {
  /// As many places for values as are asked for: `$1, $2, $3`.
  fileprivate static func places(_ count: Int) -> String {
    (1...count).map { "$\($0)" }.joined(separator: ", ")
  }

  /// A pull: one transaction, so that the rows are those of the version that is told with them.
  ///
  /// - Parameter push: A push whose rows are left out; nil for none.
  static func pulling(
    after position: SyncPosition, of space: UUID, cursor: UInt64, limit: Int, bytes: Int,
    besides push: UUID? = nil
  ) -> [PostgresStatement] {
    [
      PostgresStatement("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
      settingsOfPull, state(of: space, cursor: cursor),
      pull(after: position, of: space, limit: limit, bytes: bytes, besides: push),
      PostgresStatement("COMMIT"),
    ]
  }

  /// Settings of the transaction of a pull.
  ///
  /// A table that was never analysed is otherwise sorted as a whole, and a client that stops would keep the
  /// transaction open. A scan that is off and has no other way, as of a table without an index, counts as so dear that
  /// the server would compile the statement, for tens of milliseconds.
  static let settingsOfPull = PostgresStatement(
    """
    SELECT set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true),
      set_config('jit', 'off', true),
      set_config('idle_in_transaction_session_timeout', '60s', true)
    """)

  /// Where a space is, which pushes made its version and the one of a cursor, and the version of the schema.
  static func state(of space: UUID, cursor: UInt64) -> PostgresStatement {
    PostgresStatement(
      """
      SELECT s.version, s.floor, clock_timestamp(),
        (SELECT p.id FROM croft.pushes p WHERE p.space = s.id AND p.version = s.version),
        (SELECT p.id FROM croft.pushes p WHERE p.space = s.id AND p.version = $2),
        (SELECT f.version FROM croft.format f)
      FROM croft.spaces s WHERE s.id = $1
      """, .uuid(space), .int8(Int64(clamping: cursor)))
  }

  /// The rows after a position, in the order of an index, without those of a push.
  ///
  /// They end with the row with which they have so many bytes, of which no value is read to be counted.
  static func pull(
    after position: SyncPosition, of space: UUID, limit: Int,
    bytes: Int, besides push: UUID? = nil
  ) -> PostgresStatement {
    // Before all rows of the next version: no key is empty.
    let start = position.object ?? SyncObject(model: 0, key: [])
    var version = Int64(clamping: position.version)
    if position.object == nil { version = min(version, .max - 1) + 1 }
    // The version of the push is looked up once, among those after the position.
    let others =
      push == nil
      ? ""
      : """
      AND version IS DISTINCT FROM (
        SELECT p.version FROM croft.pushes p WHERE p.space = $1 AND p.version >= $2 AND p.id = $7)
      """
    return PostgresStatement(
      """
      SELECT model, key, version, deleted, stamps, fields FROM (
        SELECT *, sum(octet_length(key) + octet_length(stamps) + coalesce(octet_length(fields), 0))
          OVER (ORDER BY version, model, key ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
          AS size
        FROM (
          SELECT model, key, version, deleted, stamps, fields FROM croft.objects
          WHERE space = $1 AND (version, model, key) > ($2, $3, $4) \(others)
          ORDER BY version, model, key LIMIT $5
        ) AS found
      ) AS counted WHERE size IS NULL OR size < $6 ORDER BY version, model, key
      """,
      [
        .uuid(space), .int8(version), .int4(Int32(clamping: start.model)), .bytea(start.key),
        .int8(Int64(clamping: limit)), .int8(Int64(clamping: bytes)),
      ] + (push.map { [.uuid($0)] } ?? []))
  }
}

extension SyncPush.Part {
  /// The arrays of a push, as its functions take them.
  fileprivate var values: [PostgresValue] {
    [
      .int4s(rows.map { Int32(clamping: $0.object.model) }), .byteas(rows.map(\.object.key)),
      .int8s(rows.map { Int64(clamping: $0.base) }), .bools(rows.map(\.isDeleted)),
      .byteas(rows.map(\.stamps)), .byteas(rows.map(\.fields)),
      .int4s(references.map { Int32(clamping: $0.model) }), .byteas(references.map(\.key)),
    ]
  }
}
