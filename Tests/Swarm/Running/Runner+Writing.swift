import Croft
import Foundation

// Transactions, whose every statement does what the twin says.

extension Runner {
  func write(_ writer: Writer, _ statements: [Statement], fails: Bool) throws {
    if writer == .child { return try writeInChild(statements, fails: fails) }
    let before = twin
    do {
      try writingStore(writer, statements).write { transaction in
        for statement in statements { try run(statement, in: &transaction) }
        if fails { throw Abort() }
      }
      counts.transactions += 1
    } catch is Abort {
      twin = before
    } catch StoreError.mapFull {
      // Nothing of it is done; the map grows for the next one.
      twin = before
      counts.undone += 1
    }
  }

  /// Runs statements in a store that is not the one at hand.
  func write(_ statements: [Statement], to store: Store) throws {
    try store.write { transaction in
      for statement in statements { try run(statement, in: &transaction) }
    }
  }

  private func writingStore(_ writer: Writer, _ statements: [Statement]) throws -> Store {
    let names = Set(statements.flatMap(\.models))
    guard writer == .other,
      let models = family.others(version)?.first(where: { names.allSatisfy($0.has) })
    else { return try opened() }
    if let (other, known) = other, names.allSatisfy(known.has) { return other }
    let store = try Store.open(
      path: path, listed: models.shapes.map(\.type), options: options)
    other = (store, models)
    return store
  }

  /// Does a statement, and expects of it what the twin says.
  private func run(_ statement: Statement, in transaction: inout WriteTransaction) throws {
    switch statement {
    case .savepoint(let statements, let fails):
      counts.statements += 1
      let before = twin
      do {
        try transaction.savepoint { inner in
          for statement in statements { try run(statement, in: &inner) }
          if fails { throw Abort() }
        }
      } catch is Abort {
        twin = before
      }
    case .check(let question): try ask(question, in: &transaction)
    default:
      let expected = twin.run(statement)
      try expect(try outcome(of: statement, in: &transaction), expected, of: statement)
    }
  }

  private func outcome(
    of statement: Statement, in transaction: inout WriteTransaction
  ) throws -> Outcome {
    counts.statements += 1
    do {
      let shape = models.shape(statement.model)
      return .done(try shape.run(statement, in: &transaction, models))
    } catch let error as StoreError {
      guard let refusal = Refusal(error) else { throw error }
      return .refused([refusal])
    }
  }

  private func expect(_ actual: Outcome, _ expected: Outcome, of statement: Statement) throws {
    switch (actual, expected) {
    case (.done(let count), .done(let wanted))
    where count == nil || wanted == nil || count == wanted:
      return
    case (.refused(let refusals), .refused(let possible)) where refusals.isSubset(of: possible):
      counts.refusals += 1
    default: throw Failure("\(statement.summary): it is \(actual), and must be \(expected)")
    }
  }

  // Asynchronous writes.

  /// What the writes of a group did, told by the writer's thread and by their tasks.
  private final class GroupRecord: @unchecked Sendable {
    // The lock guards all; the runner reads it when the writes have ended.
    private let lock = NSLock()
    private(set) var order: [Int] = []
    private(set) var outcomes: [Int: [Outcome]] = [:]
    private(set) var failures: [Int: any Error] = [:]

    func ran(_ write: Int, _ outcomes: [Outcome]) {
      lock.withLock {
        order.append(write)
        self.outcomes[write] = outcomes
      }
    }

    func failed(_ write: Int, _ error: any Error) { lock.withLock { failures[write] = error } }
  }

  private struct Unchecked: @unchecked Sendable {
    // The writer's thread uses it, while the caller waits.
    let value: Runner
    init(_ value: Runner) { self.value = value }
  }

  func group(_ writes: [GroupedWrite]) throws {
    let store = try opened()
    let done = DispatchGroup()
    let record = GroupRecord()
    let runner = Unchecked(self)
    for (number, write) in writes.enumerated() {
      done.enter()
      Task {
        do {
          try await store.write { transaction in
            var outcomes: [Outcome] = []
            for statement in write.statements {
              outcomes += try runner.value.outcomes(of: statement, in: &transaction)
            }
            record.ran(number, outcomes)
            if write.fails { throw Abort() }
          }
        } catch { record.failed(number, error) }
        done.leave()
      }
    }
    done.wait()
    for (number, error) in record.failures {
      if error is Abort, writes[number].fails { continue }
      guard case StoreError.mapFull = error else { throw error }
      counts.undone += 1
    }
    // The twin does those that were committed, in the order in which they ran.
    for number in record.order where record.failures[number] == nil {
      var outcomes = (record.outcomes[number] ?? [])[...]
      for statement in writes[number].statements { try replay(statement, &outcomes) }
      counts.transactions += 1
    }
  }

  /// Does a statement, and tells what it and those inside it did.
  private func outcomes(
    of statement: Statement, in transaction: inout WriteTransaction
  ) throws -> [Outcome] {
    switch statement {
    case .savepoint(let statements, let fails):
      var all: [Outcome] = []
      do {
        try transaction.savepoint { inner in
          for statement in statements { all += try outcomes(of: statement, in: &inner) }
          if fails { throw Abort() }
        }
      } catch is Abort {
        // Its statements are undone, and were done all the same.
      }
      return all
    case .check: return []
    default: return [try outcome(of: statement, in: &transaction)]
    }
  }

  private func replay(_ statement: Statement, _ outcomes: inout ArraySlice<Outcome>) throws {
    switch statement {
    case .savepoint(let statements, let fails):
      let before = twin
      for statement in statements { try replay(statement, &outcomes) }
      if fails { twin = before }
    case .check: break
    default:
      guard let actual = outcomes.popFirst() else { throw Failure("A statement did not run.") }
      try expect(actual, twin.run(statement), of: statement)
    }
  }
}

extension Refusal {
  init?(_ error: StoreError) {
    switch error {
    case .duplicateKey: self = .duplicateKey
    case .uniqueViolation: self = .uniqueViolation
    case .danglingReference: self = .danglingReference
    case .deniedByRelation: self = .denied
    case .overflow: self = .overflow
    case .primaryKeyChanged: self = .keyChanged
    case .keyTooLong: self = .keyTooLong
    default: return nil
    }
  }
}

extension Statement {
  /// The models that a statement and what it holds are about.
  var models: [String] {
    if case .savepoint(let statements, _) = self { statements.flatMap(\.models) } else { [model] }
  }

  /// The model that a statement is about.
  var model: String {
    switch self {
    case .insert(let model, _), .insertAll(let model, _), .upsert(let model, _),
      .merge(let model, _, _), .update(let model, _, _), .delete(let model, _),
      .deleteEvery(let model):
      model
    case .updateAll(let question, _), .set(let question, _, _), .deleteAll(let question),
      .check(let question):
      question.model
    case .savepoint: preconditionFailure("A savepoint is about no model of its own.")
    }
  }

  /// The statement in a line.
  var summary: String { String("\(self)".prefix(400)) }
}
