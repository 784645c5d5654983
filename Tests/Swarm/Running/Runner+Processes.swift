import Croft
import Foundation

// Other processes, which write, and which die while they read.

extension Runner {
  /// What another process is to do, with what it cannot see in the store.
  struct Errand: Codable {
    let program: Program
    /// What must be unique, by the models' names; other versions may have said so.
    let uniques: [String: [[String]]]
  }

  private func write(_ step: Step) throws -> URL {
    let file = folder.appending(path: "child.json")
    let task = Errand(program: program(with: step), uniques: twin.memory.mapValues(\.uniques))
    try JSONEncoder().encode(task).write(to: file)
    return file
  }

  func writeInChild(_ statements: [Statement], fails: Bool) throws {
    let file = try write(.write(.own, statements, fails: fails))
    let result = try Child.run(["child", file.path, folder.path])
    counts.processes += 1
    guard result.status == 0 else { throw Failure("in another process: \(result.output)") }
    if !fails, !result.output.contains(Self.undone) {
      for statement in statements { _ = twin.run(statement) }
    }
    try followGrowth()
  }

  /// Lets go of the snapshot where the map, while one is open, cannot follow a file that another
  /// process has grown.
  private func followGrowth() throws {
    guard snapshot != nil else { return }
    do {
      try opened().read { _ in }
    } catch let error as StoreError where error.isRetryable {
      // Or there is no place for one more reader.
      snapshot = nil
    }
  }

  /// What a process says whose write did not fit into the map.
  static let undone = "undone"

  /// Reads as often at once as another process is asked to, or as there is room; for that process.
  static func crowd(_ store: Store, _ places: Int) -> [StoreSnapshot] {
    var snapshots: [StoreSnapshot] = []
    while snapshots.count < places {
      do { snapshots.append(try store.snapshot(named: "crowd")) } catch { break }
    }
    return snapshots
  }

  /// Writes while another process reads, which is then killed.
  func crowd(_ places: Int, _ statements: [Statement]) throws {
    let file = try write(.crowd(places: places, []))
    let child = try Child.Running(["crowd", file.path, folder.path])
    defer { child.kill() }
    counts.processes += 1
    guard child.readLine() == "reading" else {
      throw Failure("in another process: \(child.rest())")
    }
    // Opening a store continues a build that waits.
    try followGrowth()
    try write(.own, statements, fails: false)
    child.kill()
    counts.kills += 1
    killed = (child.number, try sequence())
  }

  /// The last commit's number, read when a place is free: the first look frees those of the dead.
  private func sequence() throws -> UInt64 { try opened().lastSequence() }

  /// Checks that a killed process keeps no place for long.
  func compareReaders() throws {
    guard let killed else { return }
    let most = program.thresholds["LMDB.commitsBetweenReaderChecks"] ?? 64
    let store = try opened()
    // The writer looks before it begins, so the one after so many commits has looked.
    guard try sequence() > killed.sequence + UInt64(most) + 1 else { return }
    self.killed = nil
    if try store.statistics.readers.contains(where: { $0.process == killed.process }) {
      throw Failure("the reader of a process that was killed is still there")
    }
  }
}
