import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

private final class Model {
  @Publishable var name: String

  init(name: String) {
    self.name = name
  }
}

@Suite(.accounted) struct PublishableTests {
  @Test func assigningPublishesTheOldAndTheNewValue() {
    let model = Model(name: "a")
    let somebody = Somebody()
    let journal = Journal()
    model.$name.subscribe(by: somebody) { (subscriber, changes) in
      journal.write("\(subscriber.name): \(changes.old) to \(changes.new)")
    }
    model.name = "b"
    model.name = "b"
    model.name += "c"
    #expect(journal.lines == ["somebody: a to b", "somebody: b to b", "somebody: b to bc"])
    #expect(model.name == "bc")
  }

  @Test func anImmediateSubscriberGetsTheCurrentValueBeforeSubscribingReturns() {
    let model = Model(name: "a")
    let somebody = Somebody()
    let journal = Journal()
    model.name = "b"
    model.$name.subscribe(by: somebody, immediate: true) { _, changes in
      journal.write("\(changes.old)>\(changes.new)")
    }
    journal.write("subscribed")
    model.name = "c"
    #expect(journal.line == "b>b subscribed b>c")
  }

  @Test func theSubscriberIsNotKeptAliveAndItsSubscriptionEndsWithIt() throws {
    let model = Model(name: "a")
    let calls = Counter()
    var somebody: Somebody? = Somebody()
    weak let observed = somebody
    let token = model.$name.subscribe(by: try #require(somebody)) { _, _ in calls.increment() }
    model.name = "b"
    #expect(calls.value == 1)
    somebody = nil
    #expect(observed == nil)
    model.name = "c"
    #expect(calls.value == 1)
    #expect((token as? any Cancelable)?.isDisposed == true)
  }

  #if DEBUG
    @Test func aSubscriberThatIsGoneIsForgottenAtTheNextChange() {
      let model = Model(name: "a")
      var everybody = (0..<10).map { _ in Somebody() }
      for somebody in everybody { model.$name.subscribe(by: somebody) { _, _ in } }
      #expect(Resources.total == 10)
      everybody.removeAll()
      model.name = "b"
      #expect(Resources.total == 0)
    }

    @Test func subscribersThatComeAndGoDoNotPileUpWhereNothingChanges() {
      let model = Model(name: "a")
      let stays = Somebody()
      let calls = Counter()
      model.$name.subscribe(by: stays) { _, _ in calls.increment() }
      // All at once, so that each has an address of its own: an object at the address of one that
      // is gone would take its place.
      var everybody = (0..<10_000).map { _ in Somebody() }
      while let somebody = everybody.popLast() {
        model.$name.subscribe(by: somebody) { _, _ in }
      }
      #expect(Resources.total < 100)
      model.name = "b"
      #expect(Resources.total == 1)
      #expect(calls.value == 1)
    }
  #endif

  @Test func subscribingAgainMovesTheSubscriberToTheEnd() {
    let model = Model(name: "")
    let (first, second) = (Somebody("first"), Somebody("second"))
    let journal = Journal()
    for somebody in [first, second, first] {
      model.$name.subscribe(by: somebody) { subscriber, _ in journal.write(subscriber.name) }
    }
    model.name = "a"
    #expect(journal.line == "second first")
  }

  @Test func aReplacedSubscriptionsTokenDoesNotEndTheNewOne() {
    let model = Model(name: "")
    let somebody = Somebody()
    let journal = Journal()
    let old = model.$name.subscribe(by: somebody) { _, _ in journal.write("old") }
    let new = model.$name.subscribe(by: somebody) { _, _ in journal.write("new") }
    old.dispose()
    model.name = "a"
    #expect(journal.line == "new")
    new.dispose()
    model.name = "b"
    #expect(journal.line == "new")
  }

  @Test func anObjectAtTheAddressOfOneThatIsGoneIsAnotherSubscriber() {
    let model = Model(name: "")
    let journal = Journal()
    // Allocators give addresses away again, though not always the next time.
    var gone = (0..<100).map { Somebody("gone \($0)") }
    for somebody in gone {
      model.$name.subscribe(by: somebody) { _, _ in journal.write("gone") }
    }
    let addresses = Set(gone.map { ObjectIdentifier($0) })
    gone = []
    var kept: [Somebody] = []
    repeat {
      kept.append(Somebody("newcomer"))
    } while kept.count < 10_000
      && kept.last.map { !addresses.contains(ObjectIdentifier($0)) } ?? false
    guard let newcomer = kept.last, addresses.contains(ObjectIdentifier(newcomer)) else {
      Issue.record("no address was used again")
      return
    }
    model.name = "a"
    #expect(journal.lines.isEmpty)
    model.$name.subscribe(by: newcomer) { _, _ in journal.write("newcomer") }
    model.name = "b"
    #expect(journal.line == "newcomer")
    model.$name.unsubscribe(by: newcomer)
    model.name = "c"
    #expect(journal.line == "newcomer")
  }

  @Test func unsubscribingWithoutASubscriptionIsHarmless() {
    let model = Model(name: "")
    let (subscriber, stranger) = (Somebody(), Somebody())
    let calls = Counter()
    model.$name.subscribe(by: subscriber) { _, _ in calls.increment() }
    model.$name.unsubscribe(by: stranger)
    model.name = "a"
    model.$name.unsubscribe(by: subscriber)
    model.$name.unsubscribe(by: subscriber)
    model.name = "b"
    #expect(calls.value == 1)
  }

  @Test func publishingTellsAChangeThatWasNotMade() {
    let model = Model(name: "a")
    let somebody = Somebody()
    let journal = Journal()
    model.$name.subscribe(by: somebody) { _, changes in
      journal.write("\(changes.old)>\(changes.new)")
    }
    model.$name.publish(Changes(old: "x", new: "y"))
    model.$name.publish(nil)
    model.$name.publish()
    model.name = "b"
    #expect(journal.line == "x>y a>a a>a a>b")
  }

  @Test func theValueIsTheNewOneAlreadyWhileItIsPublished() {
    let property = Publishable(wrappedValue: 0)
    let somebody = Somebody()
    let journal = Journal()
    property.subscribe(by: somebody) { _, changes in
      if changes.new == 1 { property.wrappedValue = 2 }
      journal.write("\(changes.new) at \(property.wrappedValue)")
    }
    property.wrappedValue = 1
    #expect(journal.lines == ["1 at 2", "2 at 2"])
    property.unsubscribe(by: somebody)
  }

  @Test func aValueThatWasReplacedIsNotKeptAlive() {
    let property = Publishable<Witness?>(wrappedValue: nil)
    let released = Counter()
    let somebody = Somebody()
    property.subscribe(by: somebody) { _, _ in }
    property.wrappedValue = Witness { released.increment() }
    #expect(released.value == 0)
    property.wrappedValue = nil
    #expect(released.value == 1)
  }

  @Test func aValueOfAnyTypeMayBePublishedOnOneThread() {
    final class Untransferable { var count = 0 }
    let property = Publishable(wrappedValue: Untransferable())
    let somebody = Somebody()
    property.subscribe(by: somebody, immediate: true) { _, changes in changes.new.count += 1 }
    property.wrappedValue = Untransferable()
    #expect(property.wrappedValue.count == 1)
  }

  @Test func changesAreComparedByTheirValues() {
    #expect(Changes(old: 1, new: 2) == Changes(old: 1, new: 2))
    #expect(Set([Changes(old: 1, new: 2), Changes(old: 2, new: 1)]).count == 2)
  }
}

@Suite struct WeakRefTests {
  @Test func itsValueGoesWithTheObject() {
    var somebody: Somebody? = Somebody()
    let reference = WeakRef(somebody)
    #expect(reference.value === somebody)
    somebody = nil
    #expect(reference.value == nil)
    #expect(WeakRef<Somebody>(nil).value == nil)
  }
}
