import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ZipTests {
  @Test func pairsElementsOfOneNumberHoweverFarApartTheyCome() {
    let (left, right) = (PublishSubject<Int>(), PublishSubject<String>())
    let recorder = Recorder<String>()
    _ = Observable.zip(left, right) { "\($0)\($1)" }.subscribe(recorder)
    for element in 1...3 { left.onNext(element) }
    #expect(recorder.line == "")
    for element in ["a", "b"] { right.onNext(element) }
    #expect(recorder.line == "1a 2b")
    left.onCompleted()
    right.onNext("c")
    right.onCompleted()
    #expect(recorder.line == "1a 2b 3c |")
  }

  @Test func pairsUpToEightSourcesOfDifferentTypes() {
    let recorder = Recorder<String>()
    _ = Observable.zip(
      Observable.just(1), Observable.just("a"), Observable.just(true), Observable.just(2),
      Observable.just("b"), Observable.just(false), Observable.just(3), Observable.just("c")
    ) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)\($7)" }.subscribe(recorder)
    #expect(recorder.line == "1atrue2bfalse3c |")
  }

  @Test func withoutASelectorItSendsTuples() {
    let recorder = Recorder<String>()
    _ = Observable.zip(Observable.of(1, 2), Observable.of("a", "b"))
      .map { number, text in "\(number)\(text)" }.subscribe(recorder)
    #expect(recorder.line == "1a 2b |")
  }

  @Test func pairsACollectionInItsOrder() {
    let recorder = Recorder<[Int]>()
    _ = Observable.zip([Observable.of(1, 2), Observable.of(3, 4)]).subscribe(recorder)
    #expect(recorder.elements == [[1, 3], [2, 4]])
    let sums = Recorder<Int>()
    _ = Observable.zip([Observable.of(1, 2), Observable.of(3, 4)]) { $0.reduce(0, +) }
      .subscribe(sums)
    #expect(sums.line == "4 6 |")
  }

  @Test func anEmptyCollectionCompletes() {
    let recorder = Recorder<[Int]>()
    _ = Observable.zip([Observable<Int>]()).subscribe(recorder)
    #expect(recorder.line == "|")
  }

  @Test func sourcesOnSeveralThreadsLoseNothing() {
    let subjects = (0..<4).map { _ in PublishSubject<Int>() }
    let recorder = Recorder<[Int]>()
    let subscription = Observable.zip(subjects).subscribe(recorder)
    inParallel(4) { thread in for element in 1...250 { subjects[thread].onNext(element) } }
    #expect(recorder.elements == (1...250).map { [$0, $0, $0, $0] })
    subscription.dispose()
  }
}
