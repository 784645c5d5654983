import Testing
import TestSupport
import TodoKit
import TodoScreens
import TodoTestSupport

/// All architectures at once: they share what they show.
@Suite("All screens")
struct AllScreensTests {
  @Test func everyScreenThatShowsAnItemShowsTheSameStateAfterEveryCommit() throws {
    var chance = AllScreens.Chance(generator: SeededGenerator())
    let seed = chance.generator.seed
    print("CROFT_SEED=\(seed) repeats the commands of all screens")
    let screens = try AllScreens()
    #expect(try screens.screensThatDiffer() == [])
    var done: [Commander: Int] = [:]
    for step in 1...500 {
      let commander = Commander.allCases[step % Commander.allCases.count]
      if try screens.command(by: commander, &chance) { done[commander, default: 0] += 1 }
      let different = try screens.screensThatDiffer()
      try #require(different.isEmpty, "step \(step), by \(commander), seed \(seed): \(different)")
    }
    for commander in Commander.allCases {
      #expect(done[commander, default: 0] > 30, "\(commander), seed \(seed)")
    }
    print("commands done: \(done)")
  }
}
