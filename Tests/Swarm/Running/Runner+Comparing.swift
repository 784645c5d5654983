import Croft
import Foundation

// What the store holds, and what observers of it were told, against the twin.

extension Runner {
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
    try compareReaders()
    turn += 1
  }

  func verify(_ store: Store, _ name: String) throws {
    let verification = try store.verify()
    if !verification.isSound {
      throw Failure("\(name) is unsound: \(verification.problems.prefix(3))")
    }
  }

  func compareTables(of store: some ReadableStore, _ twin: Twin, _ name: String) throws {
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

  func compareLive() throws {
    guard !live.isEmpty else { return }
    let store = try opened()
    let deadline = Date(timeIntervalSinceNow: 10)
    for replay in live {
      var question = replay.question
      if let field = replay.sections { question.order.insert(Sort(field), at: 0) }
      let fields = Set(models.shape(question.model).stored.map(\.name))
      let expected = try expectedRows(of: question).map {
        $0.row.filter { fields.contains($0.key) }
      }
      while true {
        // Others' commits are heard of a little later.
        store.drainObservers()
        guard let problem = replay.problem(expected: expected, sequence: 0) else { break }
        if deadline < .now { throw Failure("the live query \(replay.question): \(problem)") }
        pause()
      }
    }
  }

  /// Begins to follow the commits, or reads those up to the last one.
  func follow() throws {
    let store = try opened()
    guard let follower else {
      follower = try CommitFollower(store, twin)
      return
    }
    try follower.check(through: try store.lastSequence(), twin)
  }
}
