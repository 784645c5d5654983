import Croft
import Foundation
import Synchronization
import Testing

@testable import CroftSync

/// Stores of one space, and a server whose ways to it a test can change.
final class Household: Sendable {
  static let space = UUID()

  /// A way to the server, which is as the test says.
  final class Line: SyncTransport {
    struct State {
      var isConnected = true
      /// Whether pushes are never answered.
      var isSilent = false
      /// Called with the number of a pull, from 0 on: whether it is never answered.
      var isPullSilent: @Sendable (Int) -> Bool = { _ in false }
      /// How many parts of pushes were uploaded.
      var uploads = 0
      /// How many pushes and pulls were answered.
      var pushes = 0
      var pulls = 0
      /// Called before the server gets a push.
      var beforePush: @Sendable () async -> Void = {}
      /// Called before the answer to a pull comes.
      var afterPull: @Sendable () async -> Void = {}
      var changesHello: @Sendable (inout SyncServerState) -> Void = { _ in }
      var changesPull: @Sendable (inout SyncPullAnswer) -> Void = { _ in }
    }

    let state = Mutex(State())
    /// An element for each push or pull that is not answered.
    let unanswered = AsyncStream<Void>.makeStream()
    private let transport: MemoryTransport

    init(to server: MemoryServer) { transport = MemoryTransport(to: server) }

    func connect(to space: UUID) throws -> any SyncSession {
      guard state.withLock({ $0.isConnected }) else {
        throw SyncError.unreachable(reason: "the line is down")
      }
      return Session(self, try transport.connect(to: space))
    }
  }

  private final class Session: SyncSession {
    private let line: Line
    private let session: any SyncSession
    private let closing = AsyncStream<Void>.makeStream()

    init(_ line: Line, _ session: any SyncSession) { (self.line, self.session) = (line, session) }

    var wakes: AsyncStream<Void> { session.wakes }

    private func check() throws {
      guard line.state.withLock({ $0.isConnected }) else {
        throw SyncError.unreachable(reason: "the line is down")
      }
    }

    /// Gives no answer until the session is closed, or the call is cancelled.
    private func beSilent() async throws {
      line.unanswered.continuation.yield()
      for await _ in closing.stream {}
      throw SyncError.unreachable(reason: "the session was closed")
    }

    func hello(_ hello: SyncHello) async throws -> SyncServerState {
      try check()
      var answer = try await session.hello(hello)
      line.state.withLock { $0.changesHello }(&answer)
      return answer
    }

    func upload(_ part: SyncPush.Part, number: Int, of push: UUID) async throws {
      try check()
      line.state.withLock { $0.uploads += 1 }
      try await session.upload(part, number: number, of: push)
    }

    func push(_ push: SyncPush, limit: Int) async throws -> SyncPushAnswer {
      try check()
      if line.state.withLock({ $0.isSilent }) { try await beSilent() }
      await line.state.withLock { $0.beforePush }()
      let answer = try await session.push(push, limit: limit)
      line.state.withLock { $0.pushes += 1 }
      return answer
    }

    func pull(
      after position: SyncPosition, cursor: UInt64, limit: Int
    ) async throws -> SyncPullAnswer {
      try check()
      if line.state.withLock({ $0.isPullSilent($0.pulls) }) { try await beSilent() }
      var answer = try await session.pull(after: position, cursor: cursor, limit: limit)
      let (change, then) = line.state.withLock { state in
        state.pulls += 1
        return (state.changesPull, state.afterPull)
      }
      change(&answer)
      await then()
      return answer
    }

    func close() async {
      closing.continuation.finish()
      await session.close()
    }
  }

  let server: MemoryServer
  let time = VirtualTime()
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "croft-sync-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    server = MemoryServer(milliseconds: time.milliseconds)
  }

  deinit {
    // A folder that stays is litter and no failure.
    try? FileManager.default.removeItem(at: folder)
  }

  func open(_ name: String, _ models: [any Model.Type] = World.models) throws -> Store {
    try Store.open(
      path: folder.appending(path: name).path, listed: models, options: .simulated,
      milliseconds: time.milliseconds)
  }

  func join(
    _ store: Store, by transport: (any SyncTransport)? = nil, space: UUID = Household.space,
    _ models: [any Model.Type] = World.models, options: Sync.Options = Sync.Options()
  ) throws -> Sync {
    try Sync(store, transport ?? Line(to: server), space, models, options, time)
  }
}

extension Sync {
  /// A call of `now()` that is the next one that the actor takes.
  func beginNow() -> Task<Void, any Error> { Task { _ = try await now() } }

  /// A call of `stop()` that is the next one that the actor takes.
  func beginStop() -> Task<Void, Never> { Task { await stop() } }

  /// Returns when the actor has taken the calls before it.
  func settle() {}

  var present: Status {
    get async {
      for await status in status { return status }
      return .stopped(nil)
    }
  }

  /// Waits for a status.
  func reaches(_ isWanted: (Status) -> Bool) async -> Bool {
    for await status in status where isWanted(status) { return true }
    return false
  }
}
