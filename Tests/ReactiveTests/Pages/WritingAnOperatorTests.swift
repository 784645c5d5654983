import Foundation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

// The code of the page "Writing an operator", compiled and run.

extension ObservableType {
  /// Emits every element twice.
  func doubled() -> Observable<Element> {
    asObservable().lift { DoubledSink($0) }
  }
}

private final class DoubledSink<Element>: OperatorSink<Element, Element> {
  override func next(_ element: Element) {
    if isFinished { return }
    down.next(element)
    down.next(element)
  }
}

extension ObservableType {
  /// Emits elements until their total cost exceeds a budget.
  func within(
    budget: Int, cost: @escaping @Sendable (Element) throws -> Int
  ) -> Observable<Element> {
    asObservable().lift { BudgetSink($0, budget, cost) }
  }
}

private final class BudgetSink<Element>: OperatorSink<Element, Element> {
  private let cost: (Element) throws -> Int
  /// Protected by the rule that calls never overlap.
  private var remaining: Int

  init(_ down: Sink<Element>, _ budget: Int, _ cost: @escaping (Element) throws -> Int) {
    self.cost = cost
    remaining = budget
    super.init(down)
  }

  override func next(_ element: Element) {
    if isFinished { return }
    do { remaining -= try cost(element) } catch { return finish(error) }
    if remaining < 0 { finish() } else { down.next(element) }
  }
}

extension ObservableType where Element: Sendable {
  /// Emits the elements of both, and whether each is from this one; does not complete.
  func labelled<Other: Sendable>(
    with other: Observable<Other>
  ) -> Observable<(isFirst: Bool, text: String)> {
    let source = asObservable()
    return .create { observer in
      Disposables.create(
        source.subscribe(
          onNext: { observer.onNext((true, "\($0)")) }, onError: { observer.onError($0) }),
        other.subscribe(
          onNext: { observer.onNext((false, "\($0)")) }, onError: { observer.onError($0) }))
    }
  }
}

@Suite(.accounted)
struct WritingAnOperatorTests {
  @Test func thePagesOperatorsDoWhatTheySay() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2).doubled().subscribe(recorder)
    _ = Observable.of(1, 2, 3).doubled().take(3).subscribe(recorder)
    #expect(recorder.line == "1 1 2 2 | 1 1 2 |")
    let source = PublishSubject<Int>()
    let within = Recorder<Int>()
    _ = source.within(budget: 5) { try refusing(9)($0) }.subscribe(within)
    for element in [2, 3, 1, 1] { source.onNext(element) }
    #expect(within.line == "2 3 |")
    #expect(!source.hasObservers)
    _ = Observable.of(1, 9).within(budget: 99) { try refusing(9)($0) }.subscribe(within)
    #expect(within.line == "2 3 | 1 xfirst")
  }

  @Test func severalSourcesArePutInLineByCreate() {
    let numbers = PublishSubject<Int>()
    let words = PublishSubject<String>()
    let turnstile = Turnstile()
    let (first, second) = (Counter(), Counter())
    let subscription = numbers.labelled(with: words).subscribe(onNext: { element in
      turnstile.pass { _ = (element.isFirst ? first : second).increment() }
    })
    inParallel(2) { thread in
      for number in 0..<500 {
        if thread == 0 { numbers.onNext(number) } else { words.onNext("\(number)") }
      }
    }
    #expect(first.value == 500 && second.value == 500)
    #expect(!turnstile.wasShared)
    subscription.dispose()
    #expect(!numbers.hasObservers && !words.hasObservers)
  }

  @Test func thePageShowsThisCode() throws {
    let page = try Pages.text(of: "Sources/Reactive/Reactive.docc/WritingAnOperator.md")
    let code = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().map { block in
      block.components(separatedBy: "```")[0]
    }
    #expect(blocks.count == 3)
    for block in blocks { #expect(code.contains(block)) }
  }
}
