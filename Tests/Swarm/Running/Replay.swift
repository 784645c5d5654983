import Croft
import Foundation
import Synchronization

/// A live query whose changes are replayed.
protocol LiveReplay: AnyObject {
  var question: Question { get }
  var sections: String? { get }
  /// How many changes were replayed.
  var changeCount: Int { get }
  /// Checks that the changes so far lead to a result; what is wrong, if something is.
  func problem(expected: [Fields], sequence: UInt64) -> String?
  /// Waits until it was told of a commit, or a while.
  func wait(for sequence: UInt64) -> Bool
  func cancel()
}

/// Replays the changes of one live query on a list of primary keys.
final class Replay<M: Model>: LiveReplay, @unchecked Sendable {
  let question: Question
  let sections: String?
  private let row: @Sendable (M) -> Fields
  private let key: @Sendable (M) -> Value
  private var token: ObservationToken?
  // What the store's queue changes, guarded by the condition.
  private let condition = NSCondition()
  private var keys: [Value] = []
  private var rows: [Fields] = []
  private var told: [(Value, Int)]?
  private var count = 0
  private var failure: String?

  init?(
    _ question: Question, sections: String?, row: @escaping @Sendable (M) -> Fields,
    key: @escaping @Sendable (M) -> Value,
    _ begin: (@escaping @Sendable (LiveStepOf<M>) -> Void) -> ObservationToken?
  ) {
    self.question = question
    self.sections = sections
    self.row = row
    self.key = key
    token = begin { [weak self] step in self?.take(step) }
    if token == nil { return nil }
  }

  var changeCount: Int { condition.withLock { count } }

  func cancel() { token?.cancel() }

  private func take(_ step: LiveStepOf<M>) {
    condition.withLock {
      count += 1
      let after = step.after.map(key)
      if !step.isInitial {
        if step.before.map(key) != keys { fail("before is not what was told last: \(step)") }
        if sections == nil {
          let problem = check(step, after)
          if let problem { fail(problem) }
        }
      }
      keys = after
      rows = step.after.map(row)
      told = step.sections
      condition.broadcast()
    }
  }

  private func fail(_ text: String) { failure = failure ?? text }

  /// Whether the change's words lead from the keys before to those after.
  private func check(_ step: LiveStepOf<M>, _ after: [Value]) -> String? {
    let gone = Set(step.deletions + step.moves.map(\.from))
    guard gone.allSatisfy(keys.indices.contains), step.insertions.allSatisfy(after.indices.contains)
    else { return "an index is out of range" }
    var rest = keys.indices.filter { !gone.contains($0) }.map { keys[$0] }[...]
    var placed: [Int: Value] = [:]
    for place in step.insertions { placed[place] = after[place] }
    for move in step.moves { placed[move.to] = keys[move.from] }
    var result: [Value] = []
    while let next = placed[result.count] ?? rest.popFirst() { result.append(next) }
    if result != after { return "replayed \(result), told \(after)" }
    if !Set(keys).intersection(after).isDisjoint(with: step.insertions.map { after[$0] }) {
      return "what stays is inserted"
    }
    let now = Dictionary(
      zip(after, step.after.map(row)), uniquingKeysWith: { first, _ in first })
    let modified = Set(step.modifications)
    for (place, key) in keys.enumerated() where !gone.contains(place) {
      guard let new = now[key] else { continue }
      if !isSame(rows[place], new), !modified.contains(place) { return "\(key) changed silently" }
      if isSame(rows[place], new), modified.contains(place) { return "\(key) did not change" }
    }
    return nil
  }

  private func isSame(_ left: Fields, _ right: Fields) -> Bool {
    left.allSatisfy { field, value in value.isIdentical(to: right[field] ?? .null) }
  }

  func wait(for sequence: UInt64) -> Bool { true }

  func problem(expected: [Fields], sequence: UInt64) -> String? {
    condition.withLock {
      if let failure { return failure }
      if let error = token?.error { return "it ended: \(error)" }
      guard rows.count == expected.count else {
        return "it shows \(rows.count) objects (\(keys.prefix(5))), not \(expected.count)"
      }
      for (place, row) in expected.enumerated() {
        for (field, value) in row where !value.isSame(as: rows[place][field] ?? .null) {
          return "its \(place). object has \(rows[place][field] ?? .null) in \(field), not \(value)"
        }
      }
      return nil
    }
  }

  func isUpToDate(with expected: [Fields]) -> Bool {
    problem(expected: expected, sequence: 0) == nil
  }
}

/// What a closure that reads was last told of a question: the rows, and their number; and the number
/// again, observed together with all objects.
final class ReadingReplay: LiveReplay, @unchecked Sendable {
  let question: Question
  let sections: String? = nil
  private var tokens: [ObservationToken] = []
  // What the store's queue changes, guarded by the lock.
  private let lock = NSLock()
  private var rows: [Fields]?
  private var number: Int?
  private var together: (some: Int, all: Int)?
  private var changes = 0

  init(_ question: Question, _ begin: (ReadingReplay) -> [ObservationToken]) {
    self.question = question
    tokens = begin(self)
  }

  var changeCount: Int { lock.withLock { changes } }

  func cancel() { for token in tokens { token.cancel() } }

  func take(rows: [Fields]) {
    lock.withLock {
      self.rows = rows
      changes += 1
    }
  }

  func take(count: Int) { lock.withLock { number = count } }

  func take(together some: Int, of all: Int) { lock.withLock { together = (some, all) } }

  func wait(for sequence: UInt64) -> Bool { true }

  func problem(expected: [Fields], sequence: UInt64) -> String? {
    lock.withLock {
      if let error = tokens.lazy.compactMap(\.error).first { return "it ended: \(error)" }
      guard let rows, number == expected.count, rows.count == expected.count else {
        return "a closure reads \(rows?.count ?? -1) objects and a live count says "
          + "\(number ?? -1), not \(expected.count)"
      }
      guard let together, together.some == expected.count else {
        return
          "together with all \(together?.all ?? -1) objects there are \(together?.some ?? -1), "
          + "not \(expected.count)"
      }
      for (place, row) in expected.enumerated() {
        for (field, value) in row where !value.isSame(as: rows[place][field] ?? .null) {
          return "its \(place). object has \(rows[place][field] ?? .null) in \(field), not \(value)"
        }
      }
      return nil
    }
  }
}

extension Value {
  /// Whether two values have the same bytes, as far as a change of a live query counts them.
  func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.real(let left), .real(let right)), (.date(let left), .date(let right)):
      left.bitPattern == right.bitPattern
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.list(let left), .list(let right)), (.parts(let left), .parts(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    default: self == other
    }
  }
}
