import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// `zip` of singles and maybes.
@Suite(.accounted)
struct PrimitiveSequenceZipTests {
  @Test func singlesAnswerTogether() {
    let journal = Journal()
    let (number, word) = (Single.just(1), Single.just("a"))
    _ = Single.zip(number, word) { "\($0)\($1)" }.subscribe(onSuccess: { journal.write($0) })
    _ = Single.zip(number, word).subscribe(onSuccess: { journal.write("\($0.0)-\($0.1)") })
    _ = Single.zip([number, .just(2)]).subscribe(onSuccess: { journal.write("\($0)") })
    _ = Single.zip([number, .just(2)]) { $0.reduce(0, +) }
      .subscribe(onSuccess: { journal.write("\($0)") })
    _ = Single<Int>.zip([Single<Int>]()) { $0.count }
      .subscribe(onSuccess: { journal.write("\($0)") })
    #expect(journal.lines == ["1a", "1-a", "[1, 2]", "3", "0"])
  }

  @Test func anErrorIsTheAnswerAndDisposesTheOther() {
    let disposed = Counter()
    let journal = Journal()
    let waiting = Single<Int>.create { _ in Disposables.create { disposed.increment() } }
    _ = Single.zip(waiting, Single<Int>.error(Failure.first)) { $0 + $1 }
      .subscribe(onFailure: { journal.write("\($0)") })
    #expect(journal.line == "first")
    #expect(disposed.value == 1)
  }

  @Test func maybesNeedAnElementEach() {
    let journal = Journal()
    _ = Maybe.zip(Maybe.just(1), Maybe.just("a")) { "\($0)\($1)" }
      .subscribe(onSuccess: { journal.write($0) })
    _ = Maybe.zip(Maybe.just(1), Maybe<Int>.empty())
      .subscribe(onSuccess: { _ in journal.write("both") }, onCompleted: { journal.write("|") })
    #expect(journal.line == "1a |")
  }
}
