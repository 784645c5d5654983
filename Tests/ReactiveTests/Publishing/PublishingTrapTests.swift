import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// What a first version of a property or a bus gets wrong.
///
/// Each story is told twice: to such a version, which must fall into the trap, and to ours.
@Suite("Traps", .accounted)
struct PublishingTrapTests {
  // The story: `subscribe` was meant to end the subscriber's earlier subscription, but ended the
  // one of the publisher itself, which had none. Every redraw added a subscription.
  @Test func t1SubscribingAgainReplacesTheEarlierSubscription() {
    func callsAfterSubscribingTwice(to station: some Station) -> Int {
      let somebody = Somebody()
      let calls = Counter()
      for _ in 0..<2 { station.listen(somebody) { _ in calls.increment() } }
      station.send(1)
      return calls.value
    }
    #expect(callsAfterSubscribingTwice(to: NaiveStation()) == 2)
    #expect(callsAfterSubscribingTwice(to: PropertyStation()) == 1)
  }

  // The story: the list of subscribers, taken before the callbacks ran, was written back after
  // them, without those who were gone. A screen that subscribed from within a callback never
  // heard anything, and one that left was told on.
  @Test func t2WhatCallbacksSubscribeAndUnsubscribeIsNotLost() {
    func callsAfterChangingWithinACallback(of station: some Station) -> String {
      let (changer, leaver, newcomer) = (Somebody(), Somebody(), Somebody())
      let journal = Journal()
      station.listen(changer) { number in
        guard number == 1 else { return }
        station.leave(leaver)
        station.listen(newcomer) { journal.write("newcomer \($0)") }
      }
      station.listen(leaver) { journal.write("leaver \($0)") }
      station.send(1)
      journal.write("then")
      station.send(2)
      station.close(for: changer)
      return journal.line
    }
    let right = "then newcomer 2"
    #expect(callsAfterChangingWithinACallback(of: NaiveStation()) == "leaver 1 then leaver 2")
    #expect(callsAfterChangingWithinACallback(of: PropertyStation()) == right)
    #expect(callsAfterChangingWithinACallback(of: BusStation()) == right)
  }

  // The story: listeners were filed under the short name of the event's type. Deleting a task
  // called those who waited for the deletion of a list, with a payload that was not theirs.
  @Test func t3EventsOfTheSameNameInDifferentTypesAreDifferent() {
    let somebody = Somebody()
    let naive = Journal()
    let ours = Journal()
    let naiveBus = NaiveBus()
    naiveBus.on(Lists.Deleted.self) { naive.write("list \($0)") }
    naiveBus.on(Tasks.Deleted.self) { naive.write("task \($0)") }
    naiveBus.emit(Tasks.Deleted(payload: 7))
    #expect(naive.lines == ["list 7", "task 7"])

    let bus = EventBus()
    bus.on(Lists.Deleted.self, by: somebody) { _, payload in ours.write("list \(payload)") }
    bus.on(Tasks.Deleted.self, by: somebody) { _, payload in ours.write("task \(payload)") }
    bus.emit(Tasks.Deleted(payload: 7))
    #expect(ours.lines == ["task 7"])
    bus.off(Lists.Deleted.self, by: somebody)
    bus.emit(Tasks.Deleted(payload: 8))
    #expect(ours.lines == ["task 7", "task 8"])
  }
}

private enum Lists {
  struct Deleted: EventProtocol {
    let payload: Int
  }
}

private enum Tasks {
  struct Deleted: EventProtocol {
    let payload: Int
  }
}

/// A list of subscribers as one writes it first, with the traps T1 and T2 in it.
private final class NaiveStation: Station {
  private struct Entry: Sendable {
    let object: WeakRef<Somebody>
    let handler: @Sendable (Int) -> Void
  }

  private let entries = Box<[Entry]>([])
  private let owner = Somebody("the station itself")

  func listen(
    _ object: Somebody, _ handler: @escaping @Sendable (Int) -> Void
  ) -> any Disposable {
    // The trap T1: it is the wrong one that leaves.
    leave(owner)
    let entry = Entry(object: WeakRef(object), handler: handler)
    entries.value = (entries.value ?? []) + [entry]
    return Disposables.create()
  }

  func leave(_ object: Somebody) {
    entries.value = entries.value?.filter { $0.object.value !== object }
  }

  func send(_ number: Int) {
    let alive = (entries.value ?? []).filter { $0.object.value != nil }
    for entry in alive { entry.handler(number) }
    // The trap T2: whatever the callbacks changed is overwritten.
    entries.value = alive
  }
}

/// A bus that knows events by the short name of their type: the trap T3.
private final class NaiveBus {
  private var handlers: [String: [(Any) -> Void]] = [:]

  func on<E: EventProtocol>(_ event: E.Type, _ handler: @escaping (Any) -> Void) {
    handlers[String(describing: event), default: []].append(handler)
  }

  func emit<E: EventProtocol>(_ event: E) {
    for handler in handlers[String(describing: E.self)] ?? [] { handler(event.payload) }
  }
}
