import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct SampleTests {
  let time = VirtualTime()

  @Test func sendsTheLatestWhenItIsAskedAndNothingTwice() {
    let source = time.source("210:1 220:2 250:3")
    let sampler = time.source("230:0 240:0 260:0")
    #expect(time.run { source.sample(sampler) } == "230:2 260:3")
  }

  @Test func sendsTheDefaultInsteadOfNothing() {
    let source = time.source("220:1")
    let sampler = time.source("210:0 230:0 240:0")
    #expect(time.run { source.sample(sampler, defaultValue: 9) } == "210:9 230:1 240:9")
  }

  @Test func theEndOfTheSourceWaitsForTheSampler() {
    let source = time.source("210:1 220:|")
    let sampler = time.source("230:0")
    #expect(time.run { source.sample(sampler) } == "230:1 230:|")
  }

  @Test func theEndOfTheSamplerCountsAsAnEvent() {
    let source = time.source("210:1 240:2")
    let sampler = time.source("230:|")
    #expect(time.run { source.sample(sampler) } == "230:1")
  }

  @Test(arguments: ["source", "sampler"])
  func anErrorOfEitherEndsItAtOnceAndDisposesTheOther(failing: String) {
    let source = time.source(failing == "source" ? "210:1 220:x" : "210:1")
    let sampler = time.source(failing == "sampler" ? "220:x" : "230:0")
    #expect(time.run { source.sample(sampler) } == "220:xfirst")
    #expect(!source.hasObservers)
    #expect(!sampler.hasObservers)
  }
}
