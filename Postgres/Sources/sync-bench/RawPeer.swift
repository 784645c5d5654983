import CPostgres
import CroftSync
import Foundation

/// The same requests in plain calls of libpq that wait for their answers, and no store: what the server and the way
/// to it take.
///
/// Threads: one at a time.
final class RawPeer {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// A value in binary format, with the number of its type.
  struct Value {
    var type: Oid
    var bytes: [UInt8]

    static func uuid(_ id: UUID) -> Value {
      Value(type: 2950, bytes: withUnsafeBytes(of: id.uuid, Array.init))
    }
    static func bool(_ value: Bool) -> Value { Value(type: 16, bytes: [value ? 1 : 0]) }
    static func int4(_ value: Int32) -> Value { Value(type: 23, bytes: big(value)) }
    static func int8(_ value: Int64) -> Value { Value(type: 20, bytes: big(value)) }
    static func bytea(_ value: [UInt8]) -> Value { Value(type: 17, bytes: value) }
    static func bools(_ values: [Bool]) -> Value { array(1000, 16, values.map { [$0 ? 1 : 0] }) }
    static func int4s(_ values: [Int32]) -> Value { array(1007, 23, values.map(big)) }
    static func int8s(_ values: [Int64]) -> Value { array(1016, 20, values.map(big)) }
    static func byteas(_ values: [[UInt8]]) -> Value { array(1001, 17, values) }

    private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.bigEndian, Array.init)
    }

    private static func array(_ type: Oid, _ element: Oid, _ values: [[UInt8]]) -> Value {
      var bytes =
        big(Int32(1)) + big(Int32(0)) + big(element) + big(Int32(values.count)) + big(Int32(1))
      for value in values { bytes += big(Int32(value.count)) + value }
      return Value(type: type, bytes: bytes)
    }
  }

  /// An object to push, which is new.
  struct Object {
    var key: [UInt8]
    /// As many bytes as a note has stamps and values.
    static let stamps = [UInt8](repeating: 1, count: 22)
    static let fields = [UInt8](repeating: 7, count: 136)
  }

  private let connection: OpaquePointer
  private let space: UUID
  private let replica = UUID()
  private var cursor: Int64 = 0

  /// Connects, and has the space know it.
  init(_ address: String, _ space: UUID) throws {
    guard let connection = PQconnectdb(address), PQstatus(connection) == CONNECTION_OK else {
      throw Failure(description: "libpq did not connect to \(address)")
    }
    (self.connection, self.space) = (connection, space)
    try run("LISTEN \"croft_\(space.uuidString.lowercased())\"", [])
    try run(
      "CALL croft.hello($1, $2, $3, $4)",
      [.uuid(space), .uuid(replica), .uuid(replica), .int8s([])])
  }

  deinit { PQfinish(connection) }

  /// The values of a push, made before the time is taken.
  func values(ofPushing objects: [Object]) -> [Value] {
    [
      .uuid(space), .uuid(replica), .uuid(UUID()), .int8(0), .bool(false), .int4(0),
      .int4s(objects.map { _ in 1 }), .byteas(objects.map(\.key)), .int8s(objects.map { _ in 0 }),
      .bools(objects.map { _ in false }), .byteas(objects.map { _ in Object.stamps }),
      .byteas(objects.map { _ in Object.fields }), .int4s([]), .byteas([]),
    ]
  }

  func push(_ values: [Value]) throws {
    let places = values.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    try run("CALL croft.push(\(places))", values) { answer in
      guard PQntuples(answer) == 1, PQgetvalue(answer, 0, 0).map({ String(cString: $0) }) == "ok"
      else { throw Failure(description: "a push was refused") }
    }
  }

  /// Waits until another one has pushed.
  func waitForNotification() throws {
    while true {
      if let notification = PQnotifies(connection) {
        PQfreemem(notification)
        return
      }
      var state = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, -1) >= 0, PQconsumeInput(connection) == 1 else {
        throw Failure(description: "the connection is lost")
      }
    }
  }

  /// Gets the rows after the last ones, in batches, and counts them and their bytes.
  func pull(limit: Int) throws -> (rows: Int, bytes: Int) {
    var (rows, bytes) = (0, 0)
    var (version, model, key): (Int64, Int32, [UInt8]) = (cursor + 1, 0, [])
    while true {
      var count = 0
      try run(
        """
        SELECT model, key, version, deleted, stamps, fields FROM croft.objects
        WHERE space = $1 AND (version, model, key) > ($2, $3, $4)
        ORDER BY version, model, key LIMIT $5
        """,
        [.uuid(space), .int8(version), .int4(model), .bytea(key), .int8(Int64(limit))]
      ) { answer in
        count = Int(PQntuples(answer))
        for row in 0..<Int32(count) {
          for column in 0..<6 as Range<Int32> { bytes += Int(PQgetlength(answer, row, column)) }
        }
        guard count > 0 else { return }
        let last = Int32(count - 1)
        func value(_ column: Int32) -> UnsafeRawBufferPointer {
          UnsafeRawBufferPointer(
            start: PQgetvalue(answer, last, column), count: Int(PQgetlength(answer, last, column)))
        }
        model = Int32(bigEndian: value(0).loadUnaligned(as: Int32.self))
        key = Array(value(1))
        version = Int64(bigEndian: value(2).loadUnaligned(as: Int64.self))
        cursor = version
      }
      rows += count
      if count < limit { return (rows, bytes) }
    }
  }

  private func run(
    _ sql: String, _ values: [Value], _ body: (OpaquePointer) throws -> Void = { _ in }
  ) throws {
    let all = values.flatMap(\.bytes) + [0]
    let answer = all.withUnsafeBytes { buffer in
      var offset = 0
      let pointers = values.map { value -> UnsafePointer<CChar>? in
        defer { offset += value.bytes.count }
        return buffer.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
      }
      return PQexecParams(
        connection, sql, Int32(values.count), values.map(\.type), pointers,
        values.map { Int32($0.bytes.count) }, values.map { _ in 1 }, 1)
    }
    guard let answer else { throw Failure(description: "libpq has no memory") }
    defer { PQclear(answer) }
    let status = PQresultStatus(answer)
    guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
      throw Failure(description: String(cString: PQresultErrorMessage(answer)))
    }
    try body(answer)
  }
}
