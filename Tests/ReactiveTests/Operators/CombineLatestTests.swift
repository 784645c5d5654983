import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct CombineLatestTests {
  @Test func combinesUpToEightSourcesOfDifferentTypes() {
    let recorder = Recorder<String>()
    _ = Observable.combineLatest(
      Observable.just(1), Observable.just("a"), Observable.just(true), Observable.just(2),
      Observable.just("b"), Observable.just(false), Observable.just(3), Observable.just("c")
    ) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)\($7)" }.subscribe(recorder)
    #expect(recorder.line == "1atrue2bfalse3c |")
  }

  @Test func withoutASelectorItSendsTuples() {
    let (left, right) = (BehaviorRelay(value: 1), BehaviorRelay(value: "a"))
    let recorder = Recorder<String>()
    let subscription = Observable.combineLatest(left, right)
      .map { number, text in "\(number)\(text)" }.subscribe(recorder)
    right.accept("b")
    #expect(recorder.line == "1a 1b")
    subscription.dispose()
  }

  @Test func combinesACollectionInItsOrder() {
    let relays = (0..<3).map { BehaviorRelay(value: $0) }
    let recorder = Recorder<[Int]>()
    let subscription = Observable.combineLatest(relays.map { $0.asObservable() })
      .subscribe(recorder)
    relays[1].accept(9)
    #expect(recorder.elements == [[0, 1, 2], [0, 9, 2]])
    subscription.dispose()
  }

  @Test func acceptsOptionalElements() {
    let left = PublishSubject<Int?>()
    let recorder = Recorder<String>()
    _ = Observable.combineLatest(left, Observable.just(1)) { "\($0 ?? 0)\($1)" }
      .subscribe(recorder)
    left.onNext(nil)
    left.onNext(2)
    left.onCompleted()
    #expect(recorder.line == "01 21 |")
  }

  @Test func anEmptyCollectionSendsOnceAndCompletes() {
    let recorder = Recorder<Int>()
    _ = Observable.combineLatest([Observable<Int>]()) { $0.count }.subscribe(recorder)
    #expect(recorder.line == "0 |")
  }

  @Test func sourcesOnSeveralThreadsLoseNothing() {
    let subjects = (0..<4).map { _ in BehaviorSubject(value: 0) }
    let recorder = Recorder<[Int]>()
    let subscription = Observable.combineLatest(subjects).subscribe(recorder)
    inParallel(4) { thread in for element in 1...250 { subjects[thread].onNext(element) } }
    #expect(recorder.elements.count == 1001)
    #expect(recorder.elements.last == [250, 250, 250, 250])
    subscription.dispose()
  }
}
