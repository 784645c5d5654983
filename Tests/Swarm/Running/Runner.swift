import Croft
import Foundation

/// Runs a program against a store and its twin, and compares both after every transaction.
///
/// Used by one thread.
final class Runner {
  var counts = Counts()
  let program: Program
  let family: Family
  let folder: URL
  var version: Int
  var twin: Twin
  var store: Store?
  /// Another `Store` of the file, with some of the models.
  var other: (store: Store, models: Models)?
  /// Stores of the file with other versions of the models, by their versions.
  var beside: [Int: Store] = [:]
  var live: [any LiveReplay] = []
  var follower: CommitFollower?
  var snapshot: (snapshot: StoreSnapshot, twin: Twin)?
  private(set) var backup: (twin: Twin, version: Int)?
  /// Goes round, so that each question is asked something else.
  var turn = 0
  /// A process that was killed while it read, and the commits that there were before.
  var killed: (process: Int, sequence: UInt64)?
  /// Grows when a store cannot even be opened in it.
  private var mapBytes: Int

  struct Abort: Error {}

  init(_ program: Program, _ families: [Family], in folder: URL) throws {
    guard let family = families.first(where: { $0.name == program.family }) else {
      throw Failure("There is no family \(program.family).")
    }
    self.program = program
    self.family = family
    self.folder = folder
    version = program.version
    mapBytes = program.mapBytes
    twin = Twin(family.versions[program.version])
    twin.thresholds = program.thresholds
    _ = twin.adopt(family.versions[program.version])
    Hooks.set(program.thresholds)
    try open()
  }

  var models: Models { family.versions[version] }
  var path: String { folder.path + "/store.croft" }

  var options: Store.Options {
    var options = Store.Options()
    options.durability = program.hasJournal ? .full : .unsafe
    options.mapSizeBytes = mapBytes
    options.maxReaders = program.maxReaders
    options.snapshotWarningAge = nil
    if program.compacts {
      options.compaction = CompactionRule(leastFileBytes: 0, leastFreeShare: 0.05)
    }
    return options
  }

  /// The program as another process has to run it, with one step.
  func program(with step: Step) -> Program {
    var other = program
    (other.version, other.mapBytes, other.steps) = (version, mapBytes, [step])
    return other
  }

  func opened() throws -> Store {
    guard let store else { throw Failure("The store is closed.") }
    return store
  }

  func open() throws {
    counts.openings += 1
    let deadline = Date(timeIntervalSinceNow: 10)
    while true {
      do {
        store = try Store.open(
          path: path, listed: models.shapes.map(\.type), options: options,
          migrations: models.migrations)
        return
      } catch StoreError.mapFull where mapBytes < 1 << 30 {
        // What opening writes did not fit; an opening begins with the map that it is given.
        mapBytes *= 2
      } catch StoreError.cannotOpen(_, let reason)
        where reason.contains("with other options") && deadline > .now
      {
        // The last reference to the store with the smaller map may be a queue's for a moment.
        pause()
      }
    }
  }

  func close() {
    for replay in live { replay.cancel() }
    live = []
    follower?.end()
    follower = nil
    snapshot = nil
    other = nil
    beside = [:]
    store = nil
    killed = nil
  }

  /// Closes the store, and opens it when a body has run; observes what was observed before.
  private func reopen(_ body: () throws -> Void = {}) throws {
    let questions = live.map { ($0.question, $0.sections) }
    let isFollowing = follower != nil
    counts.changes += live.reduce(0) { $0 + $1.changeCount }
    close()
    try body()
    try open()
    for (question, sections) in questions { try observe(question, sections) }
    if isFollowing { try follow() }
  }

  func observe(_ question: Question, _ sections: String?) throws {
    guard live.count < 4 else { return }
    let shape = models.shape(question.model)
    // Every other one by a closure that reads.
    let replay =
      live.count % 2 == 1 && sections == nil
      ? shape.observeReading(question, in: try opened(), models)
      : shape.observe(question, sections: sections, in: try opened(), models)
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
    case .crowd(let places, let statements):
      try crowd(places, statements)
      try compare()
    case .reopen:
      try reopen()
      try compare()
    case .open(let version):
      try change(to: family.isInOrder ? min(version, twin.knownVersions) : version)
      try compare()
    case .compact:
      try reopen {
        try whenClosed { try Store.compact(at: URL(filePath: path), options: options) }
        counts.copies += 1
      }
      try compare()
    case .backup:
      try makeBackup { try $0.backup(to: $1, replacesExisting: true) }
    case .dump: try makeBackup(byDumping)
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
    case .backlog(let transactions, let question, let sections):
      try opened().withObserversWaiting {
        for statements in transactions { try write(.own, statements, fails: false) }
        try observe(question, sections)
      }
      try compare()
    case .follow: try follow()
    case .rebuildIndexes:
      // Where it does not fit, the old indexes stay.
      do { try opened().rebuildIndexes() } catch StoreError.mapFull {}
      try compare()
    case .beside(let version, let there, let here):
      try openBeside(family.isInOrder ? min(version, twin.knownVersions) : version, there, here)
      try compare()
    case .copyThroughLink(let statements):
      try copyThroughLink(statements)
      try compare()
    case .share(let limit, let statements): try share(limit: limit, statements)
    case .erase:
      try erase()
      try compare()
    case .damage(let row, let byte, let version):
      try damage(row, byte, beside: version)
      try compare()
    case .snapshot: snapshot = (try opened().snapshot(named: "swarm"), twin)
    case .ask(let questions):
      try opened().read { transaction in
        for question in questions { try ask(question, in: &transaction) }
      }
    }
  }

  /// The end of a program: what it did.
  func finish() throws -> Counts {
    if follower != nil { try follow() }
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

  func pause() {
    let condition = NSCondition()
    condition.withLock { _ = condition.wait(until: Date(timeIntervalSinceNow: 0.002)) }
  }

  private func makeBackup(_ copy: (Store, URL) throws -> Void) throws {
    try copy(try opened(), URL(filePath: path + ".backup"))
    backup = (twin, version)
    counts.copies += 1
    let copy = try Store.open(
      path: path + ".backup", listed: models.shapes.map(\.type), options: options)
    try compareTables(of: copy, twin, "the backup")
    try verify(copy, "the backup")
  }

  /// Loads a dump of the store, whose own dump must be the same.
  private func byDumping(_ store: Store, to url: URL) throws {
    if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
    var lines: [String] = []
    try store.dump { lines.append($0) }
    var rest = lines[...]
    try Store.load(at: url) { rest.popFirst() }
    var loaded: [String] = []
    try Store.open(at: url, models: [], options: options).dump { loaded.append($0) }
    for (line, other) in zip(lines, loaded) where line != other {
      throw Failure("a loaded dump has \(other), not \(line)")
    }
    guard lines.count == loaded.count else {
      throw Failure("a loaded dump has \(loaded.count) lines, not \(lines.count)")
    }
  }

  /// Takes what the store holds for the twin's; for a process that comes to a store that is there.
  func adopt(_ uniques: [String: [[String]]]) throws {
    for (model, uniques) in uniques { twin.memory[model]?.uniques = uniques }
    try opened().read { transaction in
      for shape in models.shapes {
        twin.replace(shape.name, by: try shape.rows(in: &transaction))
      }
    }
  }
}
