import Presentation
import Reactive
import ReactiveTestSupport
import Testing

@Suite("Router", .accounted)
struct RouterTests {
  private let bag = DisposeBag()
  private let router = Router(["home"])

  @Test func whatIsOpenIsAValue() {
    let stacks = router.stacks.recorded(in: bag)
    router.push("list")
    router.push("item")
    router.pop()
    #expect(
      stacks.elements == [
        ["home"], ["home", "list"], ["home", "list", "item"], ["home", "list"],
      ])
    #expect(router.stack == ["home", "list"])
  }

  @Test func theLastScreenStays() {
    router.pop()
    #expect(router.stack == ["home"])
    Router<String>().pop()
  }

  @Test func poppingToADepthClosesWhatIsAbove() {
    router.replace(with: ["a", "b", "c", "d"])
    router.pop(toDepth: 2)
    router.pop(toDepth: 3)
    #expect(router.stack == ["a", "b"])
    router.pop(toDepth: 0)
    #expect(router.stack == [])
  }

  @Test func screensAreClosedWhereverTheyStand() {
    router.replace(with: ["home", "a", "b", "a", "c"])
    let stacks = router.stacks.recorded(in: bag)
    router.close { $0 == "a" }
    router.close { $0 == "z" }
    #expect(stacks.elements == [["home", "a", "b", "a", "c"], ["home", "b", "c"]])
    router.close { _ in true }
    #expect(router.stack == [])
  }

  @Test func aStepThatChangesNothingIsNotTold() {
    let stacks = router.stacks.recorded(in: bag)
    router.pop()
    router.replace(with: ["home"])
    #expect(stacks.elements.count == 1)
  }

  @Test func stepsFromWithinAnObserverWaitTheirTurn() {
    let second = Recorder<[String]>()
    router.stacks.subscribe(onNext: { [router] stack in
      if stack.last == "a" { router.push("b") }
    }).disposed(by: bag)
    router.stacks.subscribe(second).disposed(by: bag)
    router.push("a")
    #expect(second.elements == [["home"], ["home", "a"], ["home", "a", "b"]])
  }

  @Test func aNegativeDepthIsRefused() async {
    await #expect(processExitsWith: .failure) { Router(["home"]).pop(toDepth: -1) }
  }
}
