import Dispatch
import Reactive
import ReactiveTesting
import Testing

@Suite struct MarblesTests {
  let marbles = Marbles(["a": 1, "b": 2, "c": 3], start: 200, step: 10, error: Sample.a)

  @Test(
    arguments: [
      ("", []),
      ("---", []),
      ("a", [.next(200, 1)]),
      ("-a-b|", [.next(210, 1), .next(230, 2), .completed(240)]),
      ("--#", [.error(220, Sample.a)]),
      ("-(ab)--c", [.next(210, 1), .next(210, 2), .next(270, 3)]),
      ("(a|)", [.next(200, 1), .completed(200)]),
      ("-a-|---", [.next(210, 1), .completed(230)]),
    ] as [(String, [Recorded<Event<Int>>])])
  func aColumnIsATime(diagram: String, events: [Recorded<Event<Int>>]) throws {
    #expect(try marbles.events(diagram) == events)
  }

  @Test(arguments: ["", "a", "-a-b|", "--#", "-(ab)--c", "(a|)", "-(aab)(b#)", "----------c"])
  func drawingWhatWasReadGivesTheSame(diagram: String) throws {
    #expect(try marbles.diagram(marbles.events(diagram)) == diagram)
  }

  @Test(
    arguments: [
      ("-x", .unknownSign("x", column: 1)),
      ("a b", .unknownSign(" ", column: 1)),
      ("-(ab", .brokenGroup(column: 1)),
      ("-ab)", .brokenGroup(column: 3)),
      ("(a(b))", .brokenGroup(column: 0)),
      ("-(a-b)", .brokenGroup(column: 1)),
      ("a|b", .afterTheEnd(column: 2)),
      ("#|", .afterTheEnd(column: 1)),
    ] as [(String, MarbleError)])
  func whatIsWrongIsToldWithItsColumn(diagram: String, error: MarbleError) {
    #expect(throws: error) { try marbles.events(diagram) }
  }

  @Test(
    arguments: [
      ([.next(205, 1)], .noColumn(time: 205)),
      ([.next(190, 1)], .noColumn(time: 190)),
      ([.next(210, 1), .next(210, 2), .next(220, 3)], .noColumn(time: 220)),
      ([.next(210, 9)], .noSign(element: "9")),
    ] as [([Recorded<Event<Int>>], MarbleError)])
  func whatCannotBeDrawnIsTold(events: [Recorded<Event<Int>>], error: MarbleError) {
    #expect(throws: error) { try marbles.diagram(events) }
  }

  @Test func lettersStandForThemselves() throws {
    let letters = Marbles.letters()
    #expect(try letters.events("a-Z9|").compactMap(\.value.element) == ["a", "Z", "9"])
  }

  @Test func anOperatorIsDrawnInThreeLines() throws {
    let scheduler = TestScheduler(initialClock: 0)
    let letters = Marbles.letters(start: 200)
    let typed = scheduler.createHotObservable(try letters.events("-a-ab---abc-------|"))
    let found = scheduler.start { typed.debounce(.seconds(3), scheduler: scheduler) }
    //                                            -a-ab---abc-------|
    #expect(try letters.diagram(found.events) == "-------b-----c----|")
  }

  @Test func signsWithAMeaningOfTheirOwnTrap() async {
    await #expect(processExitsWith: .failure) { _ = Marbles(["|": 1]) }
  }
}
