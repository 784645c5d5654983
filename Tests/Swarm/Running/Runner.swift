import Croft
import Foundation

/// Runs a program against a store and its twin, and compares both after every transaction.
///
/// Used by one thread.
final class Runner {
  var counts = Counts()
  let program: Program
  let family: Family
  private let folder: URL
  private(set) var version: Int
  private(set) var twin: Twin
  private(set) var store: Store?
  /// Another `Store` of the file, with some of the models.
  private var other: (store: Store, models: Models)?
  var live: [any LiveReplay] = []
  private var snapshot: (snapshot: Snapshot, twin: Twin)?
  private(set) var backup: (twin: Twin, version: Int)?
  /// Goes round, so that each question is asked something else.
  var turn = 0

  private struct Abort: Error {}

  init(_ program: Program, _ families: [Family], in folder: URL) throws {
    guard let family = families.first(where: { $0.name == program.family }) else {
      throw Failure("There is no family \(program.family).")
    }
    self.program = program
    self.family = family
    self.folder = folder
    version = program.version
    twin = Twin(family.versions[program.version])
    _ = twin.adopt(models)
    Hooks.set(program.thresholds)
    try open()
  }

  var models: Models { family.versions[version] }
  private var path: String { folder.path + "/store.croft" }

  private var options: Store.Options {
    var options = Store.Options()
    options.durability = .unsafe
    options.mapSizeBytes = program.mapBytes
    options.snapshotWarningAge = nil
    if program.mapBytes == 4 << 20 {
      options.compaction = CompactionRule(leastFileBytes: 0, leastFreeShare: 0.05)
    }
    return options
  }

  func opened() throws -> Store {
    guard let store else { throw Failure("The store is closed.") }
    return store
  }

  private func open() throws {
    counts.openings += 1
    store = try Store.open(
      path: path, listed: models.shapes.map(\.type), options: options,
      migrations: models.migrations)
  }

  func close() {
    for replay in live { replay.cancel() }
    live = []
    snapshot = nil
    other = nil
    store = nil
  }

  /// Observes again what was observed before the store was closed.
  private func reopen() throws {
    let questions = live.map { ($0.question, $0.sections) }
    counts.changes += live.reduce(0) { $0 + $1.changeCount }
    close()
    try open()
    for (question, sections) in questions where models.has(question.model) {
      try observe(question, sections)
    }
  }

  private func observe(_ question: Question, _ sections: String?) throws {
    guard live.count < 4 else { return }
    let replay = models.shape(question.model)
      .observe(question, sections: sections, in: try opened(), models)
    if let replay { live.append(replay) }
  }

  // Steps.

  /// Does a step, and compares all that can be compared.
  func run(_ step: Step) throws {
    switch step {
    case .write(let writer, let statements, let fails):
      try write(writer, statements, fails: fails)
      try compare()
    case .group(let writes):
      try group(writes)
      try compare()
    case .reopen:
      try reopen()
      try compare()
    case .open(let version):
      try change(to: version)
      try compare()
    case .compact:
      let questions = live.map { ($0.question, $0.sections) }
      close()
      try whenClosed { try Store.compact(at: URL(filePath: path), options: options) }
      counts.copies += 1
      try open()
      for (question, sections) in questions { try observe(question, sections) }
      try compare()
    case .backup: try makeBackup()
    case .restore:
      guard let backup else { return }
      close()
      try whenClosed {
        let manager = FileManager.default
        for end in ["", "-lock"] where manager.fileExists(atPath: path + end) {
          try manager.removeItem(atPath: path + end)
        }
        try manager.copyItem(atPath: path + ".backup", toPath: path)
      }
      (twin, version) = (backup.twin, backup.version)
      try open()
      try compare()
    case .observe(let question, let sections):
      try observe(question, sections)
      try compareLive()
    case .snapshot: snapshot = (try opened().snapshot(named: "swarm"), twin)
    case .ask(let questions):
      try opened().read { transaction in
        for question in questions { try ask(question, in: &transaction) }
      }
    }
  }

  /// The end of a program: what it did.
  func finish() -> Counts {
    counts.programs += 1
    counts.changes += live.reduce(0) { $0 + $1.changeCount }
    close()
    return counts
  }

  /// Tries until the last reference to the store, which a queue may have for a moment, is gone.
  private func whenClosed(_ body: () throws -> Void) throws {
    let deadline = Date(timeIntervalSinceNow: 10)
    while true {
      do { return try body() } catch StoreError.busy where deadline > .now { pause() }
    }
  }

  private func pause() {
    let condition = NSCondition()
    condition.withLock { _ = condition.wait(until: Date(timeIntervalSinceNow: 0.002)) }
  }

  private func write(_ writer: Writer, _ statements: [Statement], fails: Bool) throws {
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
  func run(_ statement: Statement, in transaction: inout WriteTransaction) throws {
    counts.statements += 1
    switch statement {
    case .savepoint(let statements, let fails):
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
      let shape = models.shape(statement.model)
      let expected = twin.run(statement)
      let actual: Outcome
      do {
        actual = .done(try shape.run(statement, in: &transaction, models))
      } catch let error as StoreError {
        guard let refusal = Refusal(error) else { throw error }
        actual = .refused([refusal])
      }
      try expect(actual, expected, of: statement)
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

  // Others.

  private func group(_ writes: [[Statement]]) throws {
    // One after the other for the twin; the store may put them into one commit.
    let store = try opened()
    let done = DispatchGroup()
    let failures = Failures()
    let runner = Unchecked(self)
    let turns = DispatchQueue(label: "swarm.group")
    turns.suspend()
    for statements in writes {
      done.enter()
      turns.async {
        let submitted = DispatchSemaphore(value: 0)
        Task {
          do {
            // Writes run in the order asked for, so the next one is asked for when this one is.
            async let write: Void = store.write { transaction in
              let before = runner.value.twin
              do {
                for statement in statements { try runner.value.run(statement, in: &transaction) }
              } catch {
                runner.value.twin = before
                throw error
              }
            }
            submitted.signal()
            try await write
          } catch { failures.add(error) }
          done.leave()
        }
        submitted.wait()
      }
    }
    turns.resume()
    done.wait()
    counts.transactions += writes.count
    if let failure = failures.first { throw failure }
  }

  private final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [any Error] = []
    var first: (any Error)? { lock.withLock { all.first } }
    func add(_ error: any Error) { lock.withLock { all.append(error) } }
  }

  private struct Unchecked: @unchecked Sendable {
    // The writer's thread uses it, while the caller waits.
    let value: Runner
    init(_ value: Runner) { self.value = value }
  }

  private func makeBackup() throws {
    try opened().backup(to: URL(filePath: path + ".backup"), replacesExisting: true)
    backup = (twin, version)
    counts.copies += 1
    let copy = try Store.open(
      path: path + ".backup", listed: models.shapes.map(\.type), options: options)
    try compareTables(of: copy, twin, "the backup")
    try verify(copy, "the backup")
  }

  private func writeInChild(_ statements: [Statement], fails: Bool) throws {
    var program = program
    program.version = version
    program.steps = [.write(.own, statements, fails: fails)]
    let file = folder.appending(path: "child.json")
    try JSONEncoder().encode(program).write(to: file)
    let result = try Child.run(["child", file.path, folder.path])
    counts.processes += 1
    guard result.status == 0 else { throw Failure("in another process: \(result.output)") }
    if !fails { for statement in statements { _ = twin.run(statement) } }
  }

  /// Takes what the store holds for the twin's; for a process that comes to a store that is there.
  func adopt() throws {
    try opened().read { transaction in
      for shape in models.shapes {
        twin.replace(shape.name, by: try shape.rows(in: &transaction))
      }
    }
  }

  private func change(to version: Int) throws {
    let questions = live.map { ($0.question, $0.sections) }
    counts.changes += live.reduce(0) { $0 + $1.changeCount }
    close()
    counts.migrations += 1
    let former = self.version
    let kinds = kinds(of: former)
    self.version = version
    if twin.adopt(family.versions[version]) {
      try open()
    } else {
      do {
        try open()
        throw Failure(.lost, "version \(version) opens, and must be refused")
      } catch StoreError.schemaMismatch {
        // The store is as it was, for the version before.
        close()
        self.version = former
        try open()
      }
    }
    for (question, sections) in questions where models.has(question.model) {
      // A property may be gone, or of another type.
      let isOther = self.kinds(of: self.version).contains { name, kind in
        kinds[name].map { $0 != kind } ?? false
      }
      if !isOther, models.shape(question.model).isAskable(question) {
        try observe(question, sections)
      }
    }
  }

  /// What the properties of a version are, by the names of their models and their own.
  private func kinds(of version: Int) -> [String: Kind] {
    var kinds: [String: Kind] = [:]
    for shape in family.versions[version].shapes {
      for info in shape.infos { kinds[shape.name + "." + info.name] = info.kind }
    }
    return kinds
  }

  // Comparing.

  /// Compares all that the store holds with the twin.
  func compare() throws {
    let store = try opened()
    try verify(store, "the store")
    try compareTables(of: store, twin, "the store")
    if let (snapshot, twin) = snapshot {
      try compareTables(of: snapshot, twin, "the snapshot")
      if turn % 3 == 0 { self.snapshot = nil }
    }
    try compareLive()
    turn += 1
  }

  private func verify(_ store: Store, _ name: String) throws {
    let verification = try store.verify()
    if !verification.isSound {
      throw Failure("\(name) is unsound: \(verification.problems.prefix(3))")
    }
  }

  private func compareTables(of store: some ReadableStore, _ twin: Twin, _ name: String) throws {
    try store.read { transaction in
      for shape in twin.models.shapes {
        let expected = twin.rows(shape.name)
        let found = try shape.rows(in: &transaction)
        counts.rows += found.count
        guard found.count == expected.count else {
          throw Failure(
            found.count < expected.count ? .lost : .wrong,
            "\(name) has \(found.count) of \(shape.name), not \(expected.count)")
        }
        for (row, entry) in zip(found, expected) {
          for info in shape.stored {
            let (own, wanted) = (row[info.name] ?? .null, entry.row[info.name] ?? .null)
            if !own.isSame(as: wanted) {
              throw Failure(
                .lost, "\(name): \(shape.name) \(entry.key) has \(info.name) \(own), not \(wanted)")
            }
          }
        }
      }
    }
  }

  private func compareLive() throws {
    guard !live.isEmpty else { return }
    let store = try opened()
    let deadline = Date(timeIntervalSinceNow: 10)
    for replay in live {
      var question = replay.question
      if let field = replay.sections { question.order.insert(Sort(field), at: 0) }
      let fields = Set(models.shape(question.model).stored.map(\.name))
      let expected = twin.rows(of: question).map { $0.row.filter { fields.contains($0.key) } }
      while true {
        // Others' commits are heard of a little later.
        store.drainObservers()
        guard let problem = replay.problem(expected: expected, sequence: 0) else { break }
        if deadline < .now { throw Failure("the live query \(replay.question): \(problem)") }
        pause()
      }
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
