import Swarm
import Testing

/// Programs whose steps once found nothing, because no random program had them.
@Suite("Programs of the swarm") struct SwarmProgramTests {
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
