import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct TakeForTests {
  let time = VirtualTime()

  @Test func sendsWhatComesInTimeAndThenCompletes() {
    let source = time.source("210:1 240:2 260:3")
    let line = time.run { [time] in source.take(for: .seconds(50), scheduler: time.scheduler) }
    #expect(line == "210:1 240:2 250:|")
    #expect(!source.hasObservers)
  }

  @Test(arguments: ["210:1 240:|", "210:1 240:x"])
  func endsWithTheSource(script: String) {
    let source = time.source(script)
    let line = time.run { [time] in source.take(for: .seconds(50), scheduler: time.scheduler) }
    #expect(line == script.replacing("x", with: "xfirst"))
  }
}
