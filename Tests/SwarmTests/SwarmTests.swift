import Swarm
import Testing

@Suite("Swarm") struct SwarmTests {
  @Test func aProgramRuns() throws {
    #expect(Command.run([]) == 64)
  }
}
