// Every form in which properties are subscribed and events are awaited. Both modes.
import Reactive

struct Greeted: EventProtocol {
  struct Payload {
    let text: String
  }

  let payload: Payload
}

struct Counted: EventProtocol {
  let payload: Int
}

final class Model {
  @Publishable var name: String
  @Publishable var count = 0
  @Publishable private(set) var screen: Screen?

  init(name: String) {
    self.name = name
  }

  func present(_ screen: Screen) { self.screen = screen }
}

final class Screen {
  let title: String

  init(_ title: String) {
    self.title = title
  }

  func show(_ text: String) { print("\(title): \(text)") }

  /// Subscribing as oneself.
  func observe(_ model: Model) {
    model.$name.subscribe(by: self) { (subscriber, changes) in
      subscriber.show("\(changes.old) to \(changes.new)")
    }
  }
}

/// Any object, known by a generic parameter.
func watch<Watcher: Subscriber>(_ model: Model, by watcher: Watcher, named name: String) {
  model.$count.subscribe(by: watcher, immediate: false) { _, changes in
    print("\(name): \(changes.new)")
  }
}

func properties() {
  let model = Model(name: "a")
  let (first, second, third) = (Screen("first"), Screen("second"), Screen("third"))
  first.observe(model)
  model.$name.subscribe(by: second, immediate: true) { subscriber, changes in
    subscriber.show("\(changes.old) to \(changes.new)")
  }
  _ = model.$name.subscribe(by: third, immediate: false) {
    $0.show("\($1.old) to \($1.new)")
  }
  model.name = "b"
  let token = model.$name.subscribe(by: third) { both in
    both.subscriber.show("instead, \(both.changes.new)")
  }
  model.$name.unsubscribe(by: first)
  model.name = "c"
  token.dispose()
  model.$name.publish(Changes(old: "x", new: "y"))
  model.$name.publish(.init(old: "y", new: "z"))
  model.$name.publish(nil)
  model.$name.publish()
  watch(model, by: first, named: "count")
  model.count += 1
  let publisher: Publisher<Int> = model.$count
  publisher.wrappedValue = 5
  model.$screen.subscribe(by: first, immediate: true) { (subscriber, changes) in
    subscriber.show(changes.new?.title ?? "nothing")
  }
  model.present(second)
}

func events(_ bus: EventBus) {
  let (first, second) = (Screen("first"), Screen("second"))
  bus.on(Greeted.self, by: first) { (listener, payload) in listener.show(payload.text) }
  _ = bus.on(Greeted.self, by: second) { listener, payload in listener.show(payload.text) }
  let token = bus.on(Counted.self, by: first) { $0.show("\($1)") }
  bus.on(Counted.self, by: second) { both in both.listener.show("\(both.payload)") }
  bus.emit(Greeted(payload: .init(text: "hello")))
  bus.emit(Counted(payload: 1))
  token.dispose()
  bus.off(Greeted.self, by: first)
  bus.off(Counted(payload: 0), by: second)
  bus.emit(Greeted(payload: Greeted.Payload(text: "again")))
  bus.emit(Counted(payload: 2))
  bus.reset(second)
  bus.emit(Greeted(payload: .init(text: "nobody hears it")))
}

/// A view that belongs to the main actor says so in its callback.
@MainActor
final class View {
  private var texts: [String] = []

  func observe(_ model: Model) {
    model.$name.subscribe(by: self, immediate: true) { view, changes in
      MainActor.assumeIsolated { view.texts.append(changes.new) }
    }
  }

  func flush() { print(texts.joined(separator: ", ")) }
}

@MainActor
func views() {
  let model = Model(name: "main")
  let view = View()
  view.observe(model)
  model.name = "actor"
  view.flush()
}

/// The names of the roles, where a program writes them.
func roles(_ emitter: Emitter, _ listener: Listener, _ subscriber: Subscriber) {
  let onChange: Publishable<Int>.EventCallback<Screen> = { $0.subscriber.show("\($0.changes.new)") }
  let onEvent: EventBus.EventCallback<Screen, Counted> = { $0.listener.show("\($0.payload)") }
  let screen = Screen("roles")
  let model = Model(name: "")
  model.$count.subscribe(by: screen, immediate: true, onChange)
  let bus = EventBus()
  bus.on(Counted.self, by: screen, onEvent)
  bus.emit(Counted(payload: 1))
  print(WeakRef(listener).value === subscriber, emitter is Screen)
}

properties()
events(EventBus.shared)
MainActor.assumeIsolated { views() }
let somebody = Screen("somebody")
roles(somebody, somebody, somebody)
