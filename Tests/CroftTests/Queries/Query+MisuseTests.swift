import Croft
import Foundation
import Testing

extension Song {
  /// A property that no row holds.
  var isPopular: Bool { plays > 5 }
}

enum OneHome { @Model struct Twin { @PrimaryKey var id: Int } }
enum AnotherHome { @Model struct Twin { @PrimaryKey var id: Int } }

/// Mistakes of a programmer end the process with a sentence that tells the remedy.
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

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }
}
