import Croft
import CroftPostgres
import CroftSync
import Foundation

/// Measures replication beside plain calls of libpq, and says which bounds are met.
///
/// `Scripts/bench --only sync` starts a server and runs it.
@main struct SyncBench {
  private let address: String
  /// Where stores are made.
  private let folder: URL
  /// How many objects a first load has.
  private let size: Int
  private let clock = ContinuousClock()

  static func main() async {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      guard arguments.count >= 3, let size = Int(arguments[2]), size > 0 else {
        throw RawPeer.Failure(description: "Name an address, a folder and a count of objects.")
      }
      let bench = SyncBench(
        address: arguments[0], folder: URL(filePath: arguments[1]), size: size)
      if arguments.count == 5, let space = UUID(uuidString: arguments[4]) {
        return try await bench.runChild(arguments[3], space)
      }
      try await bench.run()
    } catch {
      FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private func run() async throws {
    try await Postgres.install(on: server)
    var lines = try await commits()
    lines += try await wakes()
    lines += try await pushes()
    lines += try await loads()
    print(Line.table(lines))
  }

  private var server: PostgresServer {
    get throws { try PostgresServer(address, deadline: .seconds(600)) }
  }

  private func newSpace() async throws -> UUID {
    let space = UUID()
    try await Postgres.createSpace(space, on: server)
    try await Postgres.grant(.write, on: space, to: "postgres", on: server)
    return space
  }

  private func open(_ name: String) throws -> Store {
    try Store.open(at: folder.appending(path: name), models: Note.self)
  }

  private func join(_ store: Store, _ space: UUID) throws -> Sync {
    var options = Sync.Options()
    // A first push of a million takes the server longer than a message may on the way.
    options.answerTimeout = .seconds(600)
    return try Sync(store, with: server, space: space, models: [Note.self], options: options)
  }
}

// MARK: - Commits

extension SyncBench {
  /// A way to no server.
  private struct NoServer: SyncTransport {
    func connect(to space: UUID) throws -> any SyncSession {
      throw SyncError.unreachable(reason: "there is none")
    }
  }

  /// A commit into a store whose model is replicated, beside one that is not.
  private func commits() async throws -> [Line] {
    let (plain, shared) = (try open("plain"), try open("shared"))
    let sync = try Sync(shared, with: NoServer(), space: UUID(), models: [Note.self])
    await sync.stop()
    return try [(objects: 1, commits: 200), (10_000, 1)].map { objects, commits in
      var ratios: [Double] = []
      var times: [[Duration]] = [[], []]
      for round in 0..<7 {
        var both: [Duration] = []
        for store in [plain, shared] {
          both.append(try time(objects, commits, in: store) / commits)
        }
        // The first round warms up.
        if round == 0 { continue }
        ratios.append(both[1] / both[0])
        for place in 0..<2 { times[place].append(both[place]) }
      }
      let ratio = ratios.sorted()[ratios.count / 2]
      return Line(
        what: "a commit of \(objects) objects (not replicated)",
        croft: "\(times[1].median.text), x \(String(format: "%.2f", ratio))",
        peer: times[0].median.text, bound: "x 1.50", isMet: ratio <= 1.5)
    }
  }

  private func time(_ objects: Int, _ commits: Int, in store: Store) throws -> Duration {
    let notes = (0..<commits).map { _ in (0..<objects).map { Note(number: $0) } }
    return try clock.measure {
      for commit in notes {
        try store.write { tx in for note in commit { try tx.insert(note) } }
      }
    }
  }
}

// MARK: - One commit

extension SyncBench {
  private static let wakeCount = 200

  /// From the return of a commit in one store to a reader of another store that is told.
  private func wakes() async throws -> [Line] {
    let space = try await newSpace()
    let (a, b) = (try open("a"), try open("b"))
    let (first, second) = (try join(a, space), try join(b, space))
    try await first.now()
    try await second.now()
    let commits = b.commits.makeAsyncIterator()
    var times: [Duration] = []
    for number in 0..<Self.wakeCount {
      let note = Note(number: number)
      try await a.write { try $0.insert(note) }
      let start = clock.now
      while try await b.get(Note.self, note.id) == nil { _ = await commits.next() }
      times.append(clock.now - start)
      // Not within the time in which commits gather.
      try await Task.sleep(for: .milliseconds(70))
    }
    await first.stop()
    await second.stop()
    let raw = try rawWakes(try await newSpace())
    return [
      Line(
        what: "a commit, seen in another store: median (99 of 100)",
        croft: "\(times.median.text) (\(times.percentile99.text))",
        peer: "\(raw.median.text) (\(raw.percentile99.text))", bound: "10 ms",
        isMet: times.median < .milliseconds(10))
    ]
  }

  private func rawWakes(_ space: UUID) throws -> [Duration] {
    let (writer, reader) = (try RawPeer(address, space), try RawPeer(address, space))
    return try (0..<Self.wakeCount).map { _ in
      let values = writer.values(ofPushing: [object()])
      return try clock.measure {
        try writer.push(values)
        try reader.waitForNotification()
        _ = try reader.pull(limit: Self.pushCount)
      }
    }
  }

  private func object() -> RawPeer.Object {
    RawPeer.Object(key: withUnsafeBytes(of: UUID().uuid, Array.init))
  }
}

// MARK: - Many objects

extension SyncBench {
  private static let pushCount = 10_000
  private static let loadCount = 1_000_000

  /// Objects that were committed are sent and acknowledged.
  private func pushes() async throws -> [Line] {
    let space = try await newSpace()
    let store = try open("pushing")
    let sync = try join(store, space)
    try await sync.now()
    var times: [Duration] = []
    for _ in 0..<7 {
      let notes = (0..<Self.pushCount).map { Note(number: $0) }
      try await store.write { tx in for note in notes { try tx.insert(note) } }
      let start = clock.now
      try await sync.now()
      times.append(clock.now - start)
    }
    await sync.stop()
    let peer = try RawPeer(address, try await newSpace())
    let raw = try (0..<7).map { _ in
      let values = peer.values(ofPushing: (0..<Self.pushCount).map { _ in object() })
      return try clock.measure { try peer.push(values) }
    }
    return [
      rate("a push of \(Self.pushCount) objects", Self.pushCount, times.median, raw.median, 40_000)
    ]
  }

  private func rate(
    _ what: String, _ count: Int, _ time: Duration, _ raw: Duration, _ bound: Double
  ) -> Line {
    func text(_ time: Duration) -> String {
      "\(time.text), \(Int(Double(count) / time.seconds)) a second"
    }
    return Line(
      what: what, croft: text(time), peer: text(raw), bound: "\(Int(bound)) a second",
      isMet: Double(count) / time.seconds >= bound)
  }

  /// The first push of a store, and the first load of another one, each in a process of its own.
  private func loads() async throws -> [Line] {
    let space = try await newSpace()
    let push = try child("push", space)
    // The first reader of new rows notes on them that they are committed.
    _ = try RawPeer(address, space).pull(limit: Self.pushCount)
    let peer = try RawPeer(address, space)
    var count = 0
    let raw = try clock.measure { count = try peer.pull(limit: Self.pushCount).rows }
    let load = try child("load", space)
    // A load of another size has no bounds.
    let isBound = size == Self.loadCount
    // The description of the model is a row too.
    guard count == size + 1 else {
      throw RawPeer.Failure(description: "the space has \(count) rows")
    }
    return [
      Line(
        what: "a first push of \(size) objects", croft: push.time.text, peer: "-", bound: "-"),
      memory("the same: its own memory", push.own), memory("the same: resident", push.resident),
      Line(
        what: "a first load of \(size) objects", croft: load.time.text, peer: raw.text,
        bound: isBound ? "15 s" : "-", isMet: isBound ? load.time < .seconds(15) : nil),
      memory("the same: its own memory", load.own, within: isBound ? 400 : nil),
      // The system takes pages of the file back when it needs them, so that the bound is not theirs.
      memory("the same: resident, with pages of the file", load.resident),
    ]
  }

  private func memory(_ what: String, _ bytes: Int, within megabytes: Int? = nil) -> Line {
    let bound = megabytes.map { "\($0) MB" } ?? "-"
    return Line(
      what: what, croft: "\(bytes / 1_000_000) MB", peer: "-", bound: bound,
      isMet: megabytes.map { bytes <= $0 * 1_000_000 })
  }
}

// MARK: - Processes of their own

extension SyncBench {
  private struct Child {
    var time: Duration
    var own: Int
    var resident: Int
  }

  /// Runs a part in another process, whose memory is its own.
  private func child(_ name: String, _ space: UUID) throws -> Child {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [address, folder.path, "\(size)", name, space.uuidString]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard process.terminationStatus == 0, numbers.count == 3 else {
      throw RawPeer.Failure(description: "the process of the first \(name) failed")
    }
    return Child(time: .microseconds(numbers[0]), own: numbers[1], resident: numbers[2])
  }

  private func runChild(_ name: String, _ space: UUID) async throws {
    let store = try open("child \(name)")
    if name == "push" { try fill(store) }
    let memory = Memory()
    let start = clock.now
    let sync = try join(store, space)
    try await sync.now()
    let time = clock.now - start
    let (own, resident) = memory.end()
    guard try await store.count(Note.all) == size, try await store.verify().problems.isEmpty else {
      throw RawPeer.Failure(description: "the store is not what the space is")
    }
    await sync.stop()
    print(Int(time / .microseconds(1)), own, resident)
  }

  private func fill(_ store: Store) throws {
    for start in stride(from: 0, to: size, by: Self.pushCount) {
      try store.write { tx in
        for number in start..<min(size, start + Self.pushCount) {
          try tx.insert(Note(number: number))
        }
      }
    }
  }
}
