import Foundation
import Swarm
import Testing
import TestSupport

@Suite("Swarm") struct SwarmTests {
  /// Bounded by a count of programs; where minutes are asked for, by those.
  @Test func programsLeaveAStoreAsTheyLeaveItsTwin() throws {
    let environment = ProcessInfo.processInfo.environment
    // The short form is the same each time, the long one never.
    let seed =
      environment["CROFT_SEED"].flatMap { UInt64($0) }
      ?? (Torture.isAskedFor ? .random(in: 0...0xFFFF_FFFF) : 20_261_122)
    print("SwarmTests: CROFT_SEED=\(seed)")
    var arguments = ["run", "--seed", "\(seed)"]
    if let minutes = environment["CROFT_MINUTES"], Torture.isAskedFor {
      arguments += ["--minutes", minutes]
    } else {
      arguments += ["--programs", "\(Torture.steps(short: 250, long: 3_000))"]
    }
    let sizes = Torture.isAskedFor ? ["SWARM_SIZE": "5000"] : [:]
    #expect(try SwarmProcess.run(arguments, environment: sizes) == 0, "seed \(seed)")
  }

  @Test func everyThresholdIsDrawn() {
    let (drawn, all) = SwarmRun.drawnThresholds(of: 0..<400)
    #expect(all.subtracting(drawn).isEmpty)
    #expect(all.count >= 30)
  }

  @Test func thereAreFortyShapes() { #expect(SwarmRun.shapeCount >= 40) }
}
