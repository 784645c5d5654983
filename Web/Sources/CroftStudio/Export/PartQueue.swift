import Foundation
import Synchronization

/// Hands parts of an answer from the thread that makes them to the connection that sends them.
///
/// The thread waits while the connection has not taken the parts before, so that few are in memory.
///
/// Threads: any; one makes parts, and one task takes them.
final class PartQueue: Sendable {
  /// How many bytes a part has at least, but for the last one.
  static let partBytes = 32 << 10
  /// How many parts wait at most.
  static let countMax = 2

  /// The parts, in order; after each of them ``taken()`` is called.
  let parts: AsyncStream<Data>
  private let continuation: AsyncStream<Data>.Continuation
  private let room = DispatchSemaphore(value: 0)
  private let isCancelled = Atomic(false)
  private let waiting = Mutex(Data())

  /// Makes an empty queue.
  init() {
    (parts, continuation) = AsyncStream.makeStream()
    // The system does not let go of a semaphore that is lower than it was at first.
    for _ in 0..<Self.countMax { room.signal() }
  }

  /// Adds bytes; waits while there are too many parts.
  ///
  /// - Throws: ``QueryProgress/Stop/left`` when nobody takes parts any more.
  func add(_ bytes: Data) throws(QueryProgress.Stop) {
    let part: Data? = waiting.withLock { waiting in
      waiting += bytes
      guard waiting.count >= Self.partBytes else { return nil }
      defer { waiting = Data() }
      return waiting
    }
    if let part { try send(part) }
  }

  /// Adds what is left, and ends the parts.
  ///
  /// - Throws: As ``add(_:)``.
  func finish() throws(QueryProgress.Stop) {
    let rest = waiting.withLock { $0 }
    if !rest.isEmpty { try send(rest) }
    end()
  }

  /// Ends the parts, also where something is missing.
  func end() { continuation.finish() }

  /// Makes room for another part.
  func taken() { room.signal() }

  /// Tells the thread that nobody takes parts any more.
  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    room.signal()
    end()
  }

  private func send(_ part: Data) throws(QueryProgress.Stop) {
    room.wait()
    if isCancelled.load(ordering: .acquiring) {
      room.signal()
      throw .left
    }
    continuation.yield(part)
  }
}
