import Testing

/// Programs written for RxSwift and Combine, and what the compiler says of them.
@Suite("Moving from RxSwift and Combine")
struct MovingTests {
  /// A line that does not compile, and a part of its error.
  private static let unavailable: [(line: String, advice: String)] = [
    ("_ = a.observeOn(main)", "renamed to 'observe(on:)'"),
    ("_ = a.subscribeOn(main)", "renamed to 'subscribe(on:)'"),
    ("_ = a.take(.seconds(1), scheduler: main)", "renamed to 'take(for:scheduler:)'"),
    ("_ = a.catchError { _ in a }", "renamed to 'catch(_:)'"),
    ("_ = a.catchErrorJustReturn(1)", "renamed to 'catchAndReturn(_:)'"),
    ("_ = Observable<Int>.catchError(sequence: [a, a])", "renamed to 'catch(sequence:)'"),
    ("_ = a.retryWhen { $0 }", "renamed to 'retry(when:)'"),
    ("_ = a.takeWhile { $0 < 3 }", "renamed to 'take(while:)'"),
    ("_ = a.takeUntil(a)", "renamed to 'take(until:)'"),
    ("_ = a.takeUntil(.inclusive) { $0 > 3 }", "renamed to 'take(until:behavior:)'"),
    ("_ = a.skipWhile { $0 < 3 }", "renamed to 'skip(while:)'"),
    ("_ = a.skipUntil(a)", "renamed to 'skip(until:)'"),
    ("_ = a.elementAt(1)", "renamed to 'element(at:)'"),
    ("_ = single.observeOn(main)", "renamed to 'observe(on:)'"),
    ("_ = single.subscribeOn(main)", "renamed to 'subscribe(on:)'"),
    ("_ = single.catchError { _ in single }", "renamed to 'catch(_:)'"),
    ("_ = single.catchErrorJustReturn(1)", "renamed to 'catchAndReturn(_:)'"),
    ("let variable: Variable<Int>", "renamed to 'BehaviorRelay'"),
    ("_ = a.groupBy { $0 % 2 }", "scan(into:)"),
    ("_ = a.groupBy(keySelector: { $0 % 2 })", "scan(into:)"),
    ("_ = a.buffer(timeSpan: .seconds(1), count: 2, scheduler: main)", "scan(into:)"),
    ("_ = a.window(timeSpan: .seconds(1), count: 2, scheduler: main)", "scan(into:)"),
    ("_ = a.amb(a)", "Merge the sources"),
    (
      "_ = Observable.generate(initialState: 0, condition: { $0 < 3 }, iterate: { $0 + 1 })",
      "from(sequence(first:next:))"
    ),
    ("_ = Observable.repeatElement(1)", "from(Swift.repeatElement("),
    (
      "_ = Observable<Int>.using({ BooleanDisposable() }, observableFactory: { _ in a })",
      "Disposables.create(subscription, resource)"
    ),
    ("_ = a.asSignal(onErrorJustReturn: 0)", "asDriver(onErrorJustReturn:)"),
    ("_ = PublishRelay<Int>().asSignal()", "renamed to 'asObservable()'"),
    ("_ = a.asInfallible(onErrorJustReturn: 0)", "catchAndReturn"),
    ("_ = a.emit(onNext: { print($0) })", "drive(onNext:)"),
    ("_ = AnyObserver<Int> { _ in }.mapObserver { (text: String) in text.count }", "event.map"),
    ("let signal: Signal<Int>", "Driver"),
    ("let infallible: Infallible<Int>", "Driver"),
    ("let last: AsyncSubject<Int>", "takeLast(1)"),
    ("let operations: OperationQueueScheduler", "ConcurrentDispatchQueueScheduler"),
    ("let concurrent: ConcurrentMainScheduler", "MainScheduler"),
    ("let historical: HistoricalScheduler", "VirtualTimeScheduler"),
    ("_ = a.sink { print($0) }", "renamed to 'subscribe(onNext:)'"),
    (
      "_ = a.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })",
      "subscribe(onNext:onError:onCompleted:)"
    ),
    ("_ = a.receive(on: DispatchQueue.main)", "observe(on: MainScheduler.instance)"),
    ("_ = a.eraseToAnyPublisher()", "renamed to 'asObservable()'"),
    ("_ = a.tryMap { $0 }", "renamed to 'map(_:)'"),
    ("_ = a.removeDuplicates()", "renamed to 'distinctUntilChanged()'"),
    ("_ = a.replaceError(with: 0)", "renamed to 'catchAndReturn(_:)'"),
    ("_ = a.replaceEmpty(with: 0)", "renamed to 'ifEmpty(default:)'"),
    ("_ = a.prefix(2)", "renamed to 'take(_:)'"),
    ("_ = a.prefix(untilOutputFrom: a)", "renamed to 'take(until:)'"),
    ("_ = a.dropFirst()", "renamed to 'skip(_:)'"),
    ("_ = a.collect()", "renamed to 'toArray()'"),
    ("_ = a.handleEvents(receiveOutput: { print($0) })", "do(onNext:"),
    ("_ = a.map { Observable.just($0) }.switchToLatest()", "renamed to 'switchLatest()'"),
    ("PublishSubject<Int>().send(1)", "renamed to 'onNext(_:)'"),
    ("a.subscribe().store(in: DisposeBag())", "disposed(by: bag)"),
    ("a.subscribe().cancel()", "renamed to 'dispose()'"),
  ]

  // The compiler said that a type has no such member, and not what to write.
  @Test func theCompilerSaysWhatToWriteForWhatIsNotHere() throws {
    let errors = try errors(in: Self.unavailable.map(\.line))
    for (index, entry) in Self.unavailable.enumerated() {
      let error = errors[index] ?? "none"
      #expect(error.contains(entry.advice), "\(entry.line): \(error)")
    }
  }

  // With parameter packs alone none of these compiled, and the errors spoke of collections.
  @Test func theElementsOfCombinedSequencesAreTuples() throws {
    let lines = [
      "_ = Observable.zip(a, b).subscribe(onNext: { print($0.0, $0.1) })",
      "_ = Observable.combineLatest(a, b).subscribe(onNext: { print($0.0, $0.1) })",
      "_ = Observable.combineLatest(a, b).map { $0.0 + $0.1.count }",
      "_ = Observable.combineLatest(a, b, relay).filter { $0.0 > 1 && $0.1 == \"\" && $0.2 > 1 }",
      "_ = Observable.combineLatest(a, b).map { number, text in \"\\(number)\\(text)\" }",
      "_ = Observable.zip(a, a, a, a, a, a, a, b).map { $0.7.count }",
      "_ = Observable.combineLatest(a, a, a, a, a, a, a, b).map { $0.7.count }",
      "_ = Observable.zip(a, b).distinctUntilChanged { $0.0 == $1.0 }",
      "_ = a.withLatestFrom(Observable.combineLatest(a, b)).flatMapLatest { Observable.just($0.0) }",
      "_ = Single.zip(single, single).map { $0.0 + $0.1 }",
      "_ = Single.zip(single, single).subscribe(onSuccess: { print($0.0, $0.1) })",
      "_ = Maybe.zip(single.asMaybe(), single.asMaybe()).subscribe(onSuccess: { print($0.1) })",
      "_ = Driver.combineLatest(Driver.just(1), Driver.just(\"\")).drive(onNext: { print($0.0, $0.1) })",
      "_ = Driver.zip(Driver.just(1), Driver.just(\"\")).drive(onNext: { print($0.0, $0.1) })",
      "_ = Observable.zip(a, a, a, a, b).filter { $0.0 > 1 }.distinctUntilChanged { $0.4 == $1.4 }",
      "_ = Observable.zip(a, a, a, a, b).subscribe(onNext: { _ = $0.0 + $0.4.count })",
      "_ = Observable.combineLatest(a, a, a, a, b).subscribe(onNext: { a, b, c, d, e in print(e) })",
      "_ = Single.zip(single, single, single, single, single).map { $0.0 + $0.4 }",
      "let d = Driver.just(1); _ = Driver.zip(d, d, d, d, d).drive(onNext: { _ = $0.0 + $0.4 })",
      "let d = Driver.just(1); _ = Driver.combineLatest(d, d, d, d, d, d, d, d).map { $0.7 + 1 }",
      "_ = Observable.zip([a, a]).map { $0.count }",
      "_ = Observable.zip(a, b) { $0 + $1.count }",
    ]
    #expect(try errors(in: lines) == [:])
  }

  @Test func whatIsBoundToTheNamespaceOfATypeCompiles() throws {
    let lines = [
      "_ = b.bind(to: Label().rx.text)", "_ = b.bind(to: Label().rx.note)",
      "_ = a.map { $0 > 1 }.bind(to: Label().rx.isMuted)",
      "_ = b.asDriver(onErrorJustReturn: \"\").drive(Label().rx.text)",
      "_ = Label.rx.count",
    ]
    #expect(try errors(in: lines) == [:])
  }

  /// Compiles each line in a function of its own, and returns the errors by the lines' indices.
  private func errors(in lines: [String]) throws -> [Int: String] {
    let head = [
      "import Dispatch", "import Reactive",
      "@MainActor final class Label: ReactiveCompatible { var text = \"\"; var note: String? }",
      "extension Rx where Base: Label { static var count: Int { 1 } }",
      "extension Rx where Base: Label { var isMuted: Binder<Bool> { Binder(base) { _, _ in } } }",
    ]
    let parameters = "_ a: Observable<Int>, _ b: Observable<String>, _ single: Single<Int>"
    let others = "_ relay: BehaviorRelay<Int>, _ main: MainScheduler"
    let functions = lines.enumerated().map { index, line in
      "@MainActor func line\(index)(\(parameters), \(others)) { \(line) }"
    }
    let program = try Program(text: (head + functions).joined(separator: "\n"))
    return program.errors.reduce(into: [:]) { $0[$1.key - head.count - 1] = $1.value }
  }
}
