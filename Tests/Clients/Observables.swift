// Subjects, operators and bags, as a program uses them. Both modes.
import Reactive

final class Counter {
  private let bag = DisposeBag()
  private let clicks = PublishSubject<Int>()
  let total = BehaviorRelay(value: 0)
  private(set) var shown: [String] = []

  init() {
    clicks
      .filter { $0 > 0 }
      .subscribe(
        with: self,
        onNext: { counter, step in
          counter.total.accept(counter.total.value + step)
        }
      )
      .disposed(by: bag)
    total.asObservable()
      .map { "total \($0)" }
      .subscribe(with: self, onNext: { counter, text in counter.shown.append(text) })
      .disposed(by: bag)
  }

  func click(_ step: Int) { clicks.onNext(step) }
}

struct Refused: Error {}

let counter = Counter()
for step in [1, -1, 2] { counter.click(step) }
print(counter.shown.joined(separator: ", "))

let words = Observable<String>.create { observer in
  observer.onNext("one")
  observer.on(.next("two"))
  observer.onCompleted()
  return Disposables.create { print("torn down") }
}
_ = words.flatMap { Observable.of($0, $0.uppercased()) }.subscribe(
  onNext: { print($0) }, onCompleted: { print("completed") }, onDisposed: { print("disposed") })
_ = Observable.of("a", "b").map { word -> String in
  if word == "b" { throw Refused() }
  return word
}.subscribe { event in
  switch event {
  case .next(let word): print(word)
  case .error(let error): print(error)
  case .completed: print("completed")
  }
}
