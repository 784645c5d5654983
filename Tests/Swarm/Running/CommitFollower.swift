import Croft
import Foundation

/// Follows a store's commits in pauses of any length, and applies what they say to a copy.
final class CommitFollower: @unchecked Sendable {
  // One of two uses what changes: the task, or the runner while the task waits for it.
  private var tables: [String: [Value: Fields]]
  private var seen: UInt64
  private var failure: String?
  private let models: Models
  private let requests: AsyncStream<UInt64>.Continuation
  private let answered = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private var task: Task<Void, Never>?

  /// Follows from the last commit on, which a twin stands for.
  init(_ store: Store, _ twin: Twin) throws {
    seen = try store.lastSequence()
    models = twin.models
    tables = Self.tables(of: twin)
    let (stream, requests) = AsyncStream<UInt64>.makeStream()
    self.requests = requests
    let begun = DispatchSemaphore(value: 0)
    task = Task.detached { [self] in
      let iterator = store.commits.makeAsyncIterator()
      begun.signal()
      for await target in stream {
        while seen < target {
          guard let commit = await iterator.next() else {
            fail("the commits ended: \(iterator.error.map { "\($0)" } ?? "without an error")")
            break
          }
          take(commit)
        }
        answered.signal()
      }
      ended.signal()
    }
    begun.wait()
    store.drainObservers()
  }

  private static func tables(of twin: Twin) -> [String: [Value: Fields]] {
    Dictionary(
      uniqueKeysWithValues: twin.models.shapes.map { shape in
        let entries = twin.rows(shape.name).map { ($0.key.identity, $0.row) }
        return (shape.name, Dictionary(entries, uniquingKeysWith: { first, _ in first }))
      })
  }

  private func fail(_ text: String) { failure = failure ?? text }

  private func take(_ commit: StoreCommit) {
    if commit.sequence <= seen { fail("commit \(commit.sequence) comes behind \(seen)") }
    seen = commit.sequence
    for shape in models.shapes {
      do {
        guard let deltas = try shape.deltas(of: commit) else {
          tables[shape.name] = nil
          continue
        }
        for delta in deltas { apply(delta, shape) }
      } catch { fail("commit \(commit.sequence): \(error)") }
    }
  }

  private func apply(_ delta: (old: Fields?, new: Fields?), _ shape: any Shape) {
    guard let row = delta.old ?? delta.new, tables[shape.name] != nil else { return }
    let key = shape.key(of: row).identity
    let known = tables[shape.name]?[key]
    if !Self.isSame(known, delta.old, shape) {
      fail("\(shape.name) \(key) was \(known ?? [:]), and a commit says \(delta.old ?? [:])")
    }
    tables[shape.name]?[key] = delta.new
  }

  private static func isSame(_ left: Fields?, _ right: Fields?, _ shape: any Shape) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return shape.stored.allSatisfy { info in
      (left[info.name] ?? .null).isSame(as: right[info.name] ?? .null)
    }
  }

  /// Reads the commits through the last one, and compares what they made of the copy.
  func check(through sequence: UInt64, _ twin: Twin) throws {
    requests.yield(sequence)
    guard answered.wait(timeout: .now() + 20) == .success else {
      throw Failure("the commits through \(sequence) do not come, the last one is \(seen)")
    }
    if let failure { throw Failure("the commits: \(failure)") }
    let expected = Self.tables(of: twin)
    for shape in models.shapes {
      guard let own = tables[shape.name] else { continue }
      let wanted = expected[shape.name] ?? [:]
      let isSame =
        own.count == wanted.count
        && wanted.allSatisfy { key, row in Self.isSame(own[key], row, shape) }
      if !isSame { throw Failure("the commits lead to other objects of \(shape.name)") }
    }
    tables = expected
  }

  /// Stops following.
  func end() {
    requests.finish()
    task?.cancel()
    ended.wait()
    task = nil
  }
}
