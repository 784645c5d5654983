import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct SkipForTests {
  let time = VirtualTime()

  @Test func dropsWhatComesTooEarly() {
    let source = time.source("210:1 240:2 260:3 270:|")
    let line = time.run { [time] in source.skip(.seconds(50), scheduler: time.scheduler) }
    #expect(line == "260:3 270:|")
  }

  @Test(arguments: ["240:|", "240:x"])
  func doesNotDropTheEnd(script: String) {
    let source = time.source(script)
    let line = time.run { [time] in source.skip(.seconds(50), scheduler: time.scheduler) }
    #expect(line == script.replacing("x", with: "xfirst"))
  }
}
