import Croft
import Testing

/// Its JSON properties are of types that could have had columns of their own.
@Model private struct Dial {
  @PrimaryKey var id: Int
  @Coded var ratio = 0.0
  @Coded var tags: [String] = []
}

@Suite struct QueryCodedTests {
  @Test func aConditionOnJSONTraps() async {
    await #expect(processExitsWith: .failure) { _ = Dial.where { $0.ratio > 1 } }
    await #expect(processExitsWith: .failure) { _ = Dial.where { $0.tags.contains("a") } }
  }

  @Test func anOrderByJSONTraps() async {
    await #expect(processExitsWith: .failure) { _ = Dial.all.order(by: \.ratio) }
  }

  @Test func settingJSONByQueryTrapsBeforeAnythingIsWritten() async {
    await #expect(processExitsWith: .failure) {
      let store = try Store.inMemory(models: Dial.self)
      try store.write { _ = try $0.update(Dial.all, set: \.ratio, to: 3) }
    }
  }

  @Test func readingJSONFromARowTraps() async {
    await #expect(processExitsWith: .failure) {
      let store = try Store.inMemory(models: Dial.self)
      try store.write { try $0.insert(Dial(id: 1)) }
      try store.read { try $0.forEachRow(Dial.all) { _ = try $0[\.ratio] } }
    }
  }
}
