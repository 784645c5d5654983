import Reactive
import Testing

/// E: where errors go and what they stop.
@Suite("Laws: errors", .accounted)
struct ErrorLawTests {
  typealias Pipeline = @Sendable (Observable<Int>) -> Observable<Int>

  /// Every operator that calls something that may throw, made to throw at 2.
  static let throwing: [(name: String, pipeline: Pipeline)] = [
    ("map", { $0.map(refusing(2)) }),
    ("filter", { $0.filter { try refusing(2)($0) == $0 } }),
    ("compactMap", { $0.compactMap { try refusing(2)($0) } }),
    ("flatMap", { $0.flatMap { Observable.just(try refusing(2)($0)) } }),
    ("flatMapLatest", { $0.flatMapLatest { Observable.just(try refusing(2)($0)) } }),
    ("concatMap", { $0.concatMap { Observable.just(try refusing(2)($0)) } }),
    ("do", { $0.do(onNext: { _ = try refusing(2)($0) }) }),
    ("distinctUntilChanged", { $0.distinctUntilChanged { try refusing(2)($0) } }),
    (
      "combineLatest",
      { source in
        Observable.combineLatest(Observable.just(0), source) { _, element in
          try refusing(2)(element)
        }
      }
    ),
    (
      "withLatestFrom",
      { $0.withLatestFrom(Observable.just(0)) { element, _ in try refusing(2)(element) } }
    ),
  ]

  @Test(arguments: throwing.map(\.name))
  func e1AnErrorThrownIsSentAndTheSourceDisposed(name: String) throws {
    let pipeline = try #require(Self.throwing.first { $0.name == name }).pipeline
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = pipeline(source).subscribe(recorder)
    for element in 1...3 { source.onNext(element) }
    source.onCompleted()
    #expect(recorder.line == "1 xfirst")
    // Also while the source still runs inside its subscription.
    let consumed = Counter()
    let synchronous = Recorder<Int>()
    _ = pipeline(Observable.from(1...9).do(onNext: { _ in consumed.increment() }))
      .subscribe(synchronous)
    #expect(synchronous.line == "1 xfirst")
    #expect(consumed.value == 2)
  }

  @Test func e1TheSourceIsLetGo() {
    let source = PublishSubject<Int>()
    for (_, pipeline) in Self.throwing {
      _ = pipeline(source).subscribe(Recorder<Int>())
    }
    source.onNext(2)
    #expect(!source.hasObservers)
  }

  @Test(arguments: ["flatMap", "merge", "combineLatest", "concatMap", "flatMapLatest"])
  func e2AnErrorEndsTheWholeAndDisposesTheSiblings(name: String) {
    let failing = PublishSubject<Int>()
    let sibling = PublishSubject<Int>()
    let outer = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    let combined: Observable<Int> =
      switch name {
      case "flatMap": outer.flatMap { $0 == 0 ? failing : sibling }
      case "concatMap": outer.concatMap { $0 == 0 ? failing : sibling }
      case "flatMapLatest": outer.flatMapLatest { $0 == 0 ? sibling : failing }
      case "merge": Observable.merge(outer, failing, sibling)
      default: Observable.combineLatest(outer, failing, sibling) { $0 + $1 + $2 }
      }
    _ = combined.filter { _ in false }.subscribe(recorder)
    outer.onNext(0)
    outer.onNext(1)
    sibling.onNext(1)
    failing.onError(Failure.first)
    #expect(recorder.line == "xfirst")
    #expect(!outer.hasObservers && !sibling.hasObservers)
  }
}
