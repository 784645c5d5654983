import Swarm
import Testing

/// Programs whose steps once found nothing, because no random program had them.
@Suite("Programs of the swarm") struct SwarmProgramTests {
  /// Another form of the model changed a property that this one does not have, and it was told as a change.
  @Test func aPropertyThatAProgramDoesNotSeeChangesNothingForIt() throws {
    let badge: [String: Value] = [
      "code": .text("a"), "id": .int(12), "isValid": .bool(false), "rank": .int(4),
    ]
    let valid = badge.merging(["isValid": .bool(true)]) { $1 }
    try SwarmProcess.run(
      Program(
        family: "badges", version: 2, thresholds: [:], mapBytes: 1 << 30, maxReaders: 512,
        compacts: false, hasJournal: false,
        steps: [
          .beside(version: 0, [], [.upsert("Badge", badge)]),
          .observe(
            Question("Badge", .field("code", .text(.like, "*", options: 1))), sections: nil),
          .open(version: 0),
          .beside(version: 2, [.merge("Badge", original: badge, valid)], []),
        ]))
  }

  // No two versions of a model had a store open at once, so nothing noticed a program that read its own
  // defaults from the rows of another one, whose types differ, after it had read the model empty.
  @Test func aVersionThatReadAModelWhileItWasEmptyIsRefusedBesideAnother() throws {
    let person: Fields = ["id": .int(1), "name": .text("a"), "age": .text("old")]
    try SwarmProcess.run(
      Program(
        family: "people", version: 0,
        steps: [
          .ask([Question("Person")]),
          .beside(version: 2, [.insert("Person", person)], []),
          .ask([Question("Person")]),
          .beside(version: 0, [.insert("Person", ["id": .int(2)])], []),
        ]))
  }

  @Test func versionsTakeTurnsWhileBothHaveTheStoreOpen() throws {
    func person(_ id: Int64, _ more: Fields) -> Statement {
      .insert(
        "Person",
        ["id": .int(id), "name": .text("a"), "age": .int(id)].merging(more) { $1 })
    }
    let second: Fields = ["score": .real(.nan), "nick": .text("b")]
    let third: Fields = second.merging(["isKnown": .bool(false)]) { $1 }
    try SwarmProcess.run(
      Program(
        family: "people", version: 0,
        steps: [
          .observe(Question("Person", .field("age", .compare(.less, .int(9)))), sections: nil),
          .beside(version: 1, [person(1, second)], [person(2, ["note": .text("c")])]),
          .beside(version: 3, [person(3, third)], [.update("Person", .int(3), ["note": .null])]),
          .beside(version: 1, [.deleteEvery("Person")], [person(4, ["note": .null])]),
          .rebuildIndexes,
          .beside(version: 3, [person(5, third)], []),
        ]))
  }

  // The swarm drew NaN for rows and for conditions, but hardly ever for both at once.
  @Test func aConditionOnNaNFindsNoNaN() throws {
    let listens = [Double.nan, 1].enumerated().map { id, date -> Fields in
      ["id": .int(Int64(id)), "track": .null, "queue": .list([]), "at": .date(date)]
    }
    let terms: [FieldTest] = [
      .within([.date(.nan)]), .within([.date(1), .date(.nan)]), .compare(.equal, .date(.nan)),
    ]
    try SwarmProcess.run(
      Program(
        family: "tracks",
        steps: [
          .write(.own, [.insertAll("Listen", listens)], fails: false),
          .ask(terms.map { Question("Listen", .field("at", $0)) }),
          .ask(terms.map { Question("Listen", .not(.field("at", $0))) }),
        ]))
  }
}
