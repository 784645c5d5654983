// What Swift 6 objects to, and Swift 5 does not: a warning each, and it runs. Both modes.
import Reactive

/// With a callback that is not `Sendable`.
struct Asked: EventProtocol {
  struct Payload {
    let answer: (String) -> Void
  }

  let payload: Payload
}

final class Asker {
  var answers: [String] = []
}

/// A sequence whose copies are one, so that two threads must not iterate it.
final class Countdown: Sequence, IteratorProtocol {
  var left = 3

  func next() -> Int? {
    left -= 1
    return left > 0 ? left : nil
  }
}

func iterate() {
  // Objects that stay on one thread may be sent there; an array of them is no hole.
  _ = Observable.from([Asker(), Asker()]).map { $0.answers.count }
    .subscribe(onNext: { print($0) })
  let sources: [Observable<Asker>] = [.just(Asker()), .of(Asker())]
  _ = Observable.concat(sources).retry(2).map { $0.answers.count }.subscribe(onNext: { print($0) })
  let counted = Observable.from(Countdown())
  _ = counted.toArray().subscribe(onSuccess: { print($0) })
}

func run() {
  let asker = Asker()
  var calls = 0
  let property = Publishable(wrappedValue: 0)
  property.subscribe(by: asker) { _, changes in
    calls += 1
    asker.answers.append("\(changes.new)")
  }
  property.wrappedValue = 1
  EventBus.shared.on(Asked.self, by: asker) { listener, payload in payload.answer("yes") }
  EventBus.shared.emit(Asked(payload: .init(answer: { asker.answers.append($0) })))
  print(calls, asker.answers)
}

run()
iterate()
