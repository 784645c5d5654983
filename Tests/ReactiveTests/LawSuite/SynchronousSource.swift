import Reactive
import Testing

/// One way to emit many elements during the subscription.
struct SynchronousSource: Sendable, CustomTestStringConvertible {
  let name: String
  /// Makes a source of at most `count` elements.
  let build: @Sendable (_ count: Int) -> Observable<Int>

  var testDescription: String { name }

  static let all = [
    SynchronousSource(name: "just") { _ in .just(1) },
    SynchronousSource(name: "from(optional:)") { _ in .from(optional: 1) },
    SynchronousSource(name: "Single.just") { _ in Single.just(1).asObservable() },
    SynchronousSource(name: "from(array)") { .from(Array(0..<$0)) },
    SynchronousSource(name: "from(sequence)") { .from(0..<$0) },
    SynchronousSource(name: "of") { _ in .of(1, 2, 3, 4, 5, 6, 7, 8, 9) },
    SynchronousSource(name: "range") { .range(start: 0, count: $0) },
    SynchronousSource(name: "from(scheduler:)") {
      .from(0..<$0, scheduler: CurrentThreadScheduler.instance)
    },
    SynchronousSource(name: "range(scheduler:)") {
      .range(start: 0, count: $0, scheduler: CurrentThreadScheduler.instance)
    },
    SynchronousSource(name: "create") { count in
      .create { observer in
        for element in 0..<count where !observer.isDisposed { observer.onNext(element) }
        observer.onCompleted()
        return Disposables.create()
      }
    },
    SynchronousSource(name: "create of a source") { count in
      .create { Observable.from(0..<count).subscribe($0) }
    },
    SynchronousSource(name: "deferred") { count in .deferred { .from(0..<count) } },
    SynchronousSource(name: "replay") { count in
      let subject = ReplaySubject<Int>.createUnbounded()
      for element in 0..<count { subject.onNext(element) }
      return subject
    },
    SynchronousSource(name: "ended replay") { count in
      let subject = ReplaySubject<Int>.createUnbounded()
      for element in 0..<count { subject.onNext(element) }
      subject.onCompleted()
      return subject
    },
    SynchronousSource(name: "concat(sequence)") { count in
      .concat((0..<count).lazy.map { Observable.just($0) })
    },
    SynchronousSource(name: "retry") { count in
      Observable.just(1).concat(Observable.error(Failure.first)).retry(count)
    },
    SynchronousSource(name: "flatMap") { count in
      Observable.from(0..<count).flatMap { Observable.just($0) }
    },
    SynchronousSource(name: "takeLast") { Observable.from(0..<$0).takeLast($0) },
    SynchronousSource(name: "startWith") { count in
      Observable.from(0..<count).startWith(1, 2, 3)
    },
    SynchronousSource(name: "share") { Observable.from(0..<$0).share() },
  ]
}

/// One way to end a sequence before its source ends.
struct EarlyEnd: Sendable, CustomTestStringConvertible {
  let name: String
  let apply: @Sendable (Observable<Int>) -> Observable<Int>

  var testDescription: String { name }

  static let all = [
    EarlyEnd(name: "take") { $0.take(1) },
    EarlyEnd(name: "first") { $0.first().asObservable().map { $0 ?? 0 } },
    EarlyEnd(name: "element(at:)") { $0.element(at: 0) },
    EarlyEnd(name: "take(while:)") { $0.take(while: { _ in false }) },
    EarlyEnd(name: "take(while:) inclusive") {
      $0.take(while: { _ in false }, behavior: .inclusive)
    },
    EarlyEnd(name: "take(until: condition)") { $0.take(until: { _ in true }) },
    EarlyEnd(name: "take(until:)") { source in
      let signal = PublishSubject<Void>()
      return source.do(afterNext: { _ in signal.onNext(()) }).take(until: signal)
    },
    EarlyEnd(name: "dematerialize") { $0.map { _ in Event<Int>.completed }.dematerialize() },
    EarlyEnd(name: "a closure that throws") { $0.map { _ in throw Failure.second } },
    EarlyEnd(name: "afterNext that throws") {
      $0.do(afterNext: { _ in throw Failure.second })
    },
    EarlyEnd(name: "an inner error") { $0.flatMap { _ in Observable<Int>.error(Failure.second) } },
    EarlyEnd(name: "disposal within onNext") { source in
      .create { observer in
        let subscription = SerialDisposable()
        let ending = source.do(onNext: { _ in observer.onCompleted() })
        subscription.disposable = ending.subscribe(observer)
        return subscription
      }
    },
  ]
}
