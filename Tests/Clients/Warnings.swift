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
