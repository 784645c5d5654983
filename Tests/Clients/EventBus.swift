// The program that documents print for a bus: an event of a local type, with a payload of its own.
// Written as a singleton that listens as itself, which is Swift 5 mode's alone.
import Reactive

final class Program {
  static let shared = Program()

  private init() {}

  func run() {
    struct Greeting: EventProtocol {
      struct Payload {
        let text: String
      }

      let payload: Payload
    }

    EventBus.shared.on(Greeting.self, by: self) { (listener, payload) in
      print("Payload: \(payload.text)")
    }
    EventBus.shared.emit(Greeting(payload: .init(text: "Hello, World!")))
  }
}

Program.shared.run()
