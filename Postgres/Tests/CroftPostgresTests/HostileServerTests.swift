import CroftSync
import Foundation
import Testing

@testable import CroftPostgres

/// Messages of a server, by PostgreSQL's protocol.
private enum Wire {
  /// A message: its kind, its length with itself, and its body.
  static func message(_ kind: Character, _ body: [UInt8]) -> [UInt8] {
    Array(kind.utf8) + four(body.count + 4) + body
  }

  static func two(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt16(truncatingIfNeeded: number).bigEndian, Array.init)
  }

  static func four(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, Array.init)
  }

  static func eight(_ number: Int64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }

  static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  static func uuid(_ id: UUID) -> [UInt8] { withUnsafeBytes(of: id.uuid, Array.init) }

  static let ready = message("Z", Array("I".utf8))

  /// What lets anybody in, of a server that takes writes.
  static var welcome: [UInt8] {
    var bytes = message("R", four(0))
    for (name, value) in [
      ("server_version", "15.0"), ("client_encoding", "UTF8"), ("in_hot_standby", "off"),
      ("default_transaction_read_only", "off"),
    ] { bytes += message("S", text(name) + text(value)) }
    return bytes + message("K", four(1) + four(2)) + ready
  }

  /// The answer to a statement: columns with their types in binary format, and rows.
  static func answer(
    _ kinds: [PostgresValue.Kind], _ rows: [[[UInt8]?]], tag: String = "SELECT"
  ) -> [UInt8] {
    var columns = two(kinds.count)
    for kind in kinds {
      columns += text("c")
      columns += four(0)
      columns += two(0)
      columns += four(Int(kind.rawValue))
      columns += two(-1)
      columns += four(-1)
      columns += two(1)
    }
    var bytes = message("1", []) + message("2", []) + message("T", columns)
    for row in rows {
      var values = two(row.count)
      for value in row { values += four(value?.count ?? -1) + (value ?? []) }
      bytes += message("D", values)
    }
    return bytes + message("C", text(tag)) + ready
  }

  /// The answers to a pull with one row.
  static func pull(version: [UInt8], key: [UInt8]? = [1], flag: [UInt8] = [0]) -> [UInt8] {
    var bytes = answer([], [], tag: "BEGIN")
    bytes += answer([.text, .text, .text], [[[], [], []]])
    bytes += answer(
      [.int8, .int8, .timestamp, .uuid, .uuid, .int4],
      [[eight(5), eight(0), eight(0), uuid(UUID()), nil, four(Postgres.version)]])
    bytes += answer(
      [.int4, .bytea, .int8, .bool, .bytea, .bytea], [[four(1), key, version, flag, [1], nil]])
    return bytes + answer([], [], tag: "COMMIT")
  }

  /// The first answers of a session: the version of the schema, the count of connections, and to `LISTEN`.
  static var opening: [(syncs: Int, bytes: [UInt8])] {
    [
      (1, answer([.int4], [[four(Postgres.version)]])), (1, answer([.int4], [[four(1)]])),
      (1, answer([], [], tag: "LISTEN")),
    ]
  }

  /// Answers to a pull that no server gives.
  static var wrongPulls: [[UInt8]] {
    var all: [[UInt8]] = []
    // Versions after the space's, or of other sizes; missing and wrong values.
    for version in [eight(6), eight(-1), eight(.min), [0, 3], []] {
      all.append(pull(version: version))
    }
    all.append(pull(version: eight(3), key: nil))
    for flag in [[], [0, 0]] as [[UInt8]] { all.append(pull(version: eight(3), flag: flag)) }
    // Other types and counts of columns, and no answers.
    let none = answer([], [])
    all.append(none + answer([.text], []) + answer([.int8], []) + none + none)
    for one in [none, message("I", []) + ready, ready] {
      all.append(Array(repeatElement(one, count: 5).joined()))
    }
    // Rows of other counts and sizes than was said.
    all.append(answer([.int8], [[eight(1), eight(2)]]))
    all.append(message("D", two(-1)))
    all.append(Array("D".utf8) + four(1 << 30) + two(1))
    all.append(Array("T".utf8) + four(-1))
    all.append([0, 0, 0, 0, 0, 0])
    // An end in the middle, a request to copy, an error without fields.
    all.append(pull(version: eight(3)).dropLast(40))
    for kind in ["G", "W"] as [Character] { all.append(message(kind, [0, 0, 0])) }
    all.append(message("E", [0]) + ready)
    return all
  }
}

/// A program that speaks the protocol and sends what no server sends: errors, and never a crash.
@Suite struct HostileServerTests {
  /// Serves one connection: bytes after each flight, which ends with that many messages "Sync".
  ///
  /// - Parameter isEnding: Whether it ends the connection then, so that nothing more is waited for.
  private static func serve(
    _ answers: [(syncs: Int, bytes: [UInt8])], isEnding: Bool = true
  ) throws -> PostgresServer {
    let listener = try TestListener()
    let port = listener.port
    Thread.detachNewThread {
      let client = listener.accept()
      defer { close(client) }
      var reader = MessageReader(client)
      guard reader.skipStart() else { return }
      TestRelay.write(Wire.welcome[...], to: client)
      for (syncs, bytes) in answers {
        for _ in 0..<syncs {
          while let kind = reader.next(), kind != UInt8(ascii: "S") {}
        }
        TestRelay.write(bytes[...], to: client)
      }
      if isEnding { shutdown(client, Int32(SHUT_WR)) }
      // Until the client ends.
      while reader.next() != nil {}
    }
    return try PostgresServer(
      "postgres://anna@127.0.0.1:\(port)/app?sslmode=disable&gssencmode=disable",
      deadline: .seconds(2))
  }

  private func pull(_ bytes: [UInt8], isEnding: Bool = true) async throws -> SyncPullAnswer {
    let server = try Self.serve(Wire.opening + [(5, bytes)], isEnding: isEnding)
    let session = try await server.connect(to: UUID())
    do {
      let answer = try await session.pull(after: SyncPosition(0), cursor: 0, limit: 10)
      await session.close()
      return answer
    } catch {
      await session.close()
      throw error
    }
  }

  /// The program of these tests is a server where it sends what one sends.
  @Test func theProgramAnswersAsAServerDoes() async throws {
    let answer = try await pull(Wire.pull(version: Wire.eight(3)), isEnding: false)
    #expect(answer.version == 5 && answer.rows.map(\.version) == [3])
  }

  @Test(arguments: 0..<Wire.wrongPulls.count)
  func whatNoServerSendsIsAnError(number: Int) async throws {
    await #expect(throws: SyncError.self) { try await self.pull(Wire.wrongPulls[number]) }
  }

  /// A good answer with some bytes changed, taken away or doubled is a good answer or an error.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func changedBytesAreReadOrRefused(shard: UInt64) async throws {
    var random = Lehmer(state: shard + 1)
    let good = Wire.pull(version: Wire.eight(3))
    var refused = 0
    for _ in 0..<60 {
      var bytes = good
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.insert(bytes[place], at: place)
        default: bytes.remove(at: place)
        }
      }
      let server = try Self.serve(Wire.opening + [(5, bytes)])
      let session = try await server.connect(to: UUID())
      do {
        _ = try await session.pull(after: SyncPosition(0), cursor: 0, limit: 10)
      } catch is SyncError {
        refused += 1
      }
      await session.close()
    }
    #expect(refused > 0)
  }
}

/// Reads the messages of a client.
private struct MessageReader {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The message with which a connection begins, which has no kind.
  mutating func skipStart() -> Bool { length().flatMap { bytes($0 - 4) } != nil }

  /// The kind of the next message; nil at the end.
  mutating func next() -> UInt8? {
    guard let kind = bytes(1)?.first, let length = length(), bytes(length - 4) != nil else {
      return nil
    }
    return kind
  }

  private func length() -> Int? {
    bytes(4).map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  private func bytes(_ count: Int) -> [UInt8]? {
    var all = [UInt8](repeating: 0, count: max(0, count))
    var read = 0
    while read < all.count {
      let next = all[read...].withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress, $0.count, 0)
      }
      if next <= 0 { return nil }
      read += next
    }
    return all
  }
}

/// Random numbers that a seed repeats.
private struct Lehmer: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
