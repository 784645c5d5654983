import Croft
import Foundation

@testable import CroftSync

// Replicas of a store, by way of a server in memory: what one has and changes, the other one has too.

extension Runner {
  /// Shares a copy of the store with another store, changes it, and shares it again.
  ///
  /// - Parameters:
  ///   - limit: The most rows of an answer, and of a part of a push.
  ///   - statements: What the copy changes in between.
  func share(limit: Int, _ statements: [Statement]) throws {
    let before = twin
    defer { twin = before }
    let name = "\(path).shared-\(counts.shares)"
    try opened().backup(to: URL(filePath: name))
    var options = options
    options.mapSizeBytes = 1 << 30
    let types = models.shapes.map(\.type)
    let stores = [
      try Store.open(path: name, listed: types, options: options),
      // Its models have other numbers.
      try Store.open(path: name + "-other", listed: types.reversed(), options: options),
    ]
    let server = MemoryServer(milliseconds: ReplicaClock.systemMilliseconds)
    for store in stores { try store.replicate(types, as: 0) }
    let replicas = try stores.map { try Replica($0) }
    for isChanged in [false, true] {
      if isChanged { try write(statements, to: stores[0]) }
      for replica in replicas { try synchronize(replica, with: server, limit: limit) }
      for (number, store) in stores.enumerated() {
        let name = "replica \(number)\(isChanged ? ", after changes" : "")"
        try compareTables(of: store, twin, name)
        try verify(store, name)
        let aside = try replicas[number].asideCount()
        guard aside == 0 else { throw Failure("\(name) has \(aside) rows aside") }
        guard try store.unsentCount() == 0 else { throw Failure("\(name) has unsent changes") }
      }
    }
    counts.shares += 1
  }

  /// The most pushes of a replica that is the only one with changes: its models, and the changes.
  private static let mostPushes = 3

  private func synchronize(_ replica: Replica, with server: MemoryServer, limit: Int) throws {
    let answer = try server.hello(try replica.makeHello())
    try replica.receive(answer, local: ReplicaClock.systemMilliseconds())
    for _ in 0...Self.mostPushes {
      repeat {
        let position = replica.position
        try replica.receive(
          server.pull(after: position, cursor: replica.cursor, limit: limit), after: position)
      } while replica.state.staged != nil
      guard let push = try replica.makePush(limit: limit) else { return }
      for number in 0..<push.push.uploadedParts {
        server.upload(try push.part(number), number: number, of: push.push.id)
      }
      try replica.receive(server.push(push.push, limit: limit), to: push)
    }
    throw Failure("A replica pushes again and again.")
  }
}
