// The program that documents print for a property: an immediate subscription, an assignment.
// Written as a singleton that subscribes as itself, which is Swift 5 mode's alone.
import Reactive

final class Contact {
  @Publishable var name: String

  init(name: String) { self.name = name }
}

final class Program {
  static let shared = Program()

  private init() {}

  func run() {
    let contact = Contact(name: "Old Model")
    _ = contact.$name.subscribe(by: self, immediate: true) { (subscriber, changes) in
      print("Old Name: \(changes.old), New Name: \(changes.new)")
    }
    contact.name = "New Model"
  }
}

Program.shared.run()
