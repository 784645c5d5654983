import Croft
import Foundation
import Synchronization

@testable import CroftSync

/// Some stores, each with a clock that is off by some milliseconds, and the server's time.
final class Space {
  let server: MemoryServer
  private(set) var replicas: [Replica] = []
  private let folder: URL
  private var skews: [Int64]
  private let now = Now()

  /// The server's time in milliseconds.
  private final class Now: Sendable {
    let milliseconds = Mutex<UInt64>(1_000_000_000)
  }

  convenience init(_ skews: [Int64], models: [any Model.Type] = World.models) throws {
    try self.init(skews, models: skews.map { _ in models })
  }

  /// Each store has the models of its program.
  init(_ skews: [Int64], models: [[any Model.Type]]) throws {
    self.skews = skews
    server = MemoryServer { [now] in now.milliseconds.withLock { $0 } }
    folder = FileManager.default.temporaryDirectory.appending(path: "croft-sync-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for number in skews.indices { replicas.append(try open(number, models[number])) }
  }

  private func open(_ number: Int, _ models: [any Model.Type]) throws -> Replica {
    let (now, skew) = (now, skews[number])
    let store = try Store.open(
      path: folder.appending(path: "\(number).croft").path, listed: models, options: .simulated,
      milliseconds: { UInt64(Int64(now.milliseconds.withLock { $0 }) + skew) })
    try store.replicate(models, as: 0)
    return try Replica(store)
  }

  /// Opens a store with another program.
  func reopen(_ number: Int, _ models: [any Model.Type]) throws {
    replicas[number] = try open(number, models)
  }

  /// Copies a store: the copy is the last replica from now on.
  func copy(_ number: Int) throws {
    let copy = replicas.count
    try store(number).backup(to: folder.appending(path: "\(copy).croft"))
    skews.append(skews[number])
    replicas.append(try open(copy, World.models))
  }

  deinit {
    // A folder that stays is litter and no failure.
    try? FileManager.default.removeItem(at: folder)
  }

  func store(_ number: Int) -> Store { replicas[number].store }

  func advance(milliseconds: UInt64) { now.milliseconds.withLock { $0 += milliseconds } }

  /// Introduces a replica.
  ///
  /// - Parameter setsClock: Whether it hears of the server's time; else that is what its clock says.
  func introduce(_ number: Int, setsClock: Bool = true) throws {
    let replica = replicas[number]
    var answer = try server.hello(try replica.makeHello())
    let local = UInt64(Int64(answer.time) + skews[number])
    if !setsClock { answer.time = local }
    try replica.receive(answer, local: local)
  }

  func pull(_ number: Int, limit: Int = 100) throws {
    let replica = replicas[number]
    let position = replica.position
    try replica.receive(
      server.pull(after: position, cursor: replica.cursor, limit: limit), after: position)
  }

  /// Introduces a replica, pulls, and pushes until there is nothing to push.
  func sync(_ number: Int, setsClock: Bool = true) throws {
    let replica = replicas[number]
    try introduce(number, setsClock: setsClock)
    repeat {
      repeat { try pull(number) } while replica.state.staged != nil
      guard let push = try replica.makePush() else { return }
      try replica.receive(server.push(push), to: push)
    } while true
  }
}
