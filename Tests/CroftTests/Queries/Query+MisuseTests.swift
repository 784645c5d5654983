import Croft
import Foundation
import Testing

extension Song {
  /// A property that no row holds.
  var isPopular: Bool { plays > 5 }
}

enum OneHome { @Model struct Twin { @PrimaryKey var id: Int } }
enum AnotherHome { @Model struct Twin { @PrimaryKey var id: Int } }

/// Its properties are stored as JSON, though their types could be columns.
@Model private struct Dial {
  @PrimaryKey var id: Int
  @Coded var ratio = 0.0
  @Coded var tags: [String] = []
}

/// Mistakes of a programmer end the process with a sentence that names the remedy.
@Suite struct QueryMisuseTests {
  @Test func aComputedPropertyInAConditionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Song.where { $0.isPopular }
    }
    #expect(text(result).contains("no stored property of Song"))
  }

  @Test func aComputedPropertyInAnOrderTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Song.all.order(by: \.isPopular)
    }
    #expect(text(result).contains("only use stored ones"))
  }

  /// The key of a section is read from its first object, which does not have another's property.
  @Test func sectionsOfAnotherObjectsPropertyTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Tome.all.sections(by: { $0.writer.name })
    }
    #expect(text(result).contains("use store.sections(_:by:)"))
    // The same as a key path, which is a closure here.
    let path = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Tome.all.sections(by: \.writer.name)
    }
    #expect(text(path).contains("use store.sections(_:by:)"))
    let measure = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Tome.all.sections(by: { $0.tags.count })
    }
    #expect(text(measure).contains("leads to another object or to elements"))
  }

  @Test func aNegativeLimitTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Song.all.limit(-1)
    }
    #expect(text(result).contains("use 0 or more"))
    await #expect(processExitsWith: .failure) { _ = Song.all.limit(1, offset: -1) }
  }

  @Test func twoModelsOfOneNameTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Store.inMemory(models: OneHome.Twin.self, AnotherHome.Twin.self)
    }
    #expect(text(result).contains("Rename one of the structs"))
  }

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

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }
}
