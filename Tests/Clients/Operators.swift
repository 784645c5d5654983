// Every operator that code for RxSwift calls, in the forms that it is written in. Both modes.
import Dispatch
import Reactive

struct Refused: Error {}

final class Log {
  private(set) var lines: [String] = []

  func note(_ text: String) { lines.append(text) }
}

func show<Source: ObservableConvertibleType>(_ name: String, _ source: Source) {
  var line: [String] = []
  let subscription = source.asObservable().materialize().toArray().subscribe(
    onSuccess: { events in print(name, events.map { "\($0)" }.joined(separator: " ")) },
    onFailure: { print(name, $0) })
  line.removeAll()
  subscription.dispose()
}

func combining() {
  let numbers = Observable.of(1, 2, 3)
  let words = Observable.from(["a", "b", "c"])
  show("zip", Observable.zip(numbers, words) { "\($0)\($1)" })
  show("zip tuples", Observable.zip(numbers, words).map { "\($0.0)\($0.1)" })
  show("zip list", Observable.zip([numbers, numbers.map { $0 * 10 }]))
  show("concat", Observable.concat(numbers, Observable.just(9)))
  show("concat list", Observable.concat([numbers, numbers]))
  show("concat next", numbers.concat(Observable.just(9)))
  show("concat inner", Observable.of(numbers, numbers).concat())
  show("switch", Observable.of(numbers, numbers).switchLatest())
  show("merge", Observable.merge(numbers, numbers))
  show("start", numbers.startWith(7, 8))
  show("latest", numbers.withLatestFrom(words))
}

func selecting() {
  let numbers = Observable.range(start: 1, count: 5)
  show("take while", numbers.take(while: { $0 < 3 }))
  show("take while inclusive", numbers.take(while: { $0 < 3 }, behavior: .inclusive))
  show("take until", numbers.take(until: { $0 == 3 }, behavior: .inclusive))
  show("take until other", numbers.take(until: Observable<Void>.never()))
  show("take last", numbers.takeLast(2))
  show("skip", numbers.skip(3))
  show("skip while", numbers.skip(while: { $0 < 4 }))
  show("skip until", numbers.skip(until: Observable.just("now")))
  show("element", numbers.element(at: 1))
  show("first", numbers.first())
  show("single", numbers.single { $0 == 4 })
  show("ignore", numbers.ignoreElements().asCompletable())
}

func gathering() {
  let numbers = Observable.of(1, 2, 3)
  show("scan", numbers.scan(0, accumulator: { $0 + $1 }))
  show("scan into", numbers.scan(into: [Int]()) { $0.append($1) })
  show("reduce", numbers.reduce(0, accumulator: { $0 + $1 }))
  show("reduce map", numbers.reduce(0, accumulator: { $0 + $1 }, mapResult: { "sum \($0)" }))
  show("array", numbers.toArray())
  show("flat", numbers.flatMapFirst { Observable.just($0 * 10) })
  show("dematerialize", numbers.materialize().dematerialize())
}

func failing() {
  let refusing = Observable.of(1, 2).map { number -> Int in
    if number == 2 { throw Refused() }
    return number
  }
  show("catch", refusing.catch { _ in .just(9) })
  show("catch and return", refusing.catchAndReturn(8))
  show("catch sequence", Observable<Int>.catch(sequence: [refusing, .just(7)]))
  show("retry", refusing.retry(2))
  show("retry when", refusing.retry(when: { errors in errors.take(1) }))
  show(
    "retry when of a type",
    refusing.retry(when: { (errors: Observable<Refused>) in errors.take(2) }))
}

func tasks() async throws {
  var numbers: [Int] = []
  for try await number in Observable.of(1, 2, 3).values { numbers.append(number) }
  print("values", numbers)
  let newest = Observable.of(1, 2, 3).values(
    bufferingPolicy: .bufferingNewest(1), onOverflow: { print("dropped", $0) })
  for try await number in newest { print("newest", number) }
  let stream = AsyncStream<Int> { continuation in
    for number in 1...2 { continuation.yield(number) }
    continuation.finish()
  }
  let doubled = Observable.from(stream).flatMapLatest { number in
    await Task.yield()
    return number * 2
  }
  for try await number in doubled.takeLast(1).values { print("doubled", number) }
}

combining()
selecting()
gathering()
failing()
try await tasks()
