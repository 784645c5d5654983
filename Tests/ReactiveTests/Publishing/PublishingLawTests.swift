import Foundation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// Properties and buses keep the laws of subjects.
@Suite("Laws: publishing", .accounted)
struct PublishingLawTests {
  @Test(arguments: StationKind.allCases)
  func s1WhoSubscribesDuringADeliveryMissesWhatIsInFlight(kind: StationKind) {
    let station = kind.make()
    let (a, b) = (Somebody(), Somebody())
    let journal = Journal()
    station.listen(a) { number in
      journal.write("A\(number)")
      guard number == 1 else { return }
      station.send(2)
      station.listen(b) { journal.write("B\($0)") }
      station.send(3)
    }
    station.send(1)
    #expect(journal.line == "A1 A2 A3 B3")
    station.close(for: a, b)
  }

  @Test func s1AnImmediateSubscriberMissesItTooAndGetsTheValueAtOnce() {
    let property = Publishable(wrappedValue: 0)
    let (a, b) = (Somebody(), Somebody())
    let journal = Journal()
    property.subscribe(by: a) { _, changes in
      journal.write("A\(changes.new)")
      guard changes.new == 1 else { return }
      property.wrappedValue = 2
      property.subscribe(by: b, immediate: true) { _, changes in
        journal.write("B\(changes.old)>\(changes.new)")
      }
      journal.write("subscribed")
      property.wrappedValue = 3
    }
    property.wrappedValue = 1
    #expect(journal.line == "A1 B2>2 subscribed A2 A3 B2>3")
    property.unsubscribe(by: a)
  }

  @Test(arguments: StationKind.allCases)
  func s2WhatIsSentByACallbackComesAfterWhatIsInFlight(kind: StationKind) {
    let station = kind.make()
    let (a, b) = (Somebody(), Somebody())
    let journal = Journal()
    station.listen(a) { number in
      journal.write("A\(number)")
      if number == 1 { station.send(2) }
    }
    station.listen(b) { journal.write("B\($0)") }
    station.send(1)
    #expect(journal.line == "A1 B1 A2 B2")
    station.close(for: a)
  }

  @Test(arguments: StationKind.allCases)
  func s3SendingFromWithinACallbackCostsNoStack(kind: StationKind) {
    let station = kind.make()
    let somebody = Somebody()
    let calls = Counter()
    station.listen(somebody) { number in
      calls.increment()
      if number < 100_000 { station.send(number + 1) }
    }
    station.send(1)
    #expect(calls.value == 100_000)
    station.close(for: somebody)
  }

  @Test(arguments: StationKind.allCases)
  func s5WhoIsUnsubscribedByAnEarlierOneIsNotToldAnyMore(kind: StationKind) {
    let station = kind.make()
    let (a, b, c) = (Somebody(), Somebody(), Somebody())
    let journal = Journal()
    let token = Box<any Disposable>()
    station.listen(a) { number in
      journal.write("A\(number)")
      guard number == 2 else { return }
      station.leave(b)
      token.value?.dispose()
    }
    station.listen(b) { journal.write("B\($0)") }
    token.value = station.listen(c) { journal.write("C\($0)") }
    station.send(1)
    station.send(2)
    #expect(journal.line == "A1 B1 C1 A2")
    station.close(for: a)
  }

  @Test(arguments: StationKind.allCases, [4, 40])
  func s6TheyAreToldInTheOrderInWhichTheySubscribed(kind: StationKind, count: Int) {
    let station = kind.make()
    let everybody = (0..<count + 2).map { Somebody("\($0)") }
    let journal = Journal()
    for somebody in everybody.prefix(count) {
      station.listen(somebody) { _ in journal.write(somebody.name) }
    }
    for index in stride(from: 0, to: count, by: 2) { station.leave(everybody[index]) }
    for somebody in everybody.suffix(2) {
      station.listen(somebody) { _ in journal.write(somebody.name) }
    }
    station.send(1)
    let expected = Array(stride(from: 1, to: count, by: 2)) + [count, count + 1]
    #expect(journal.lines == expected.map(String.init))
  }

  @Test func s7AnImmediateSubscriberLosesNoChangeAndGetsNoneTwice() {
    let property = Publishable(wrappedValue: 0)
    let everybody = (0..<3).map { _ in (Somebody(), Recorder<Changes<Int>>()) }
    inParallel(4) { thread in
      if thread == 0 {
        for number in 1...2000 { property.wrappedValue = number }
      } else {
        let (somebody, recorder) = everybody[thread - 1]
        property.subscribe(by: somebody, immediate: true) { _, changes in
          recorder.onNext(changes)
        }
      }
    }
    for (somebody, recorder) in everybody {
      let first = recorder.elements.first?.new ?? -1
      #expect(recorder.elements.first == Changes(old: first, new: first))
      let later = recorder.elements.dropFirst()
      #expect(later.map(\.old) == Array(first..<max(first, 2000)))
      #expect(later.map(\.new) == Array((first + 1)..<2001))
      property.unsubscribe(by: somebody)
    }
  }

  @Test(arguments: StationKind.allCases)
  func g2CallsToOneSubscriberNeverOverlap(kind: StationKind) {
    let station = kind.make()
    let somebody = Somebody()
    let turnstile = Turnstile()
    let calls = Counter()
    station.listen(somebody) { _ in turnstile.pass { calls.increment() } }
    inParallel(2) { thread in
      for number in 0..<2000 { station.send(number) }
    }
    #expect(!turnstile.wasShared)
    #expect(calls.value == 4000)
  }

  @Test func changesMadeByTwoThreadsFormOneChain() {
    let property = Publishable(wrappedValue: -1)
    let somebody = Somebody()
    let recorder = Recorder<Changes<Int>>()
    property.subscribe(by: somebody) { _, changes in recorder.onNext(changes) }
    inParallel(2) { thread in
      for number in 0..<2000 { property.wrappedValue = 2 * number + thread }
    }
    let changes = recorder.elements
    #expect(changes.count == 4000)
    #expect(changes.map(\.old) == [-1] + changes.map(\.new).dropLast())
    #expect(changes.last?.new == property.wrappedValue)
  }

  @Test(arguments: StationKind.allCases)
  func subscribingAndLeavingFromManyThreadsLeavesNobodyBehind(kind: StationKind) {
    let station = kind.make()
    let shared = Somebody()
    let calls = Counter()
    inParallel(3) { thread in
      for number in 0..<500 {
        let own = Somebody()
        station.listen(own) { _ in }
        station.listen(shared) { _ in calls.increment() }
        station.send(number)
        station.leave(own)
      }
    }
    station.leave(shared)
    let before = calls.value
    station.send(-1)
    #expect(calls.value == before)
  }

  @Test(arguments: StationKind.allCases)
  func l1NoCallbackRunsUnderALock(kind: StationKind) {
    let station = kind.make()
    let (listener, other) = (Somebody(), Somebody())
    let lock = NSLock()
    let (isReached, isHeld) = (Gate(), Gate())
    station.listen(listener) { number in
      guard number == 1 else { return }
      isReached.open()
      isHeld.pass("nobody took the lock")
      lock.withLock {}
    }
    inParallel(2) { thread in
      if thread == 0 { return station.send(1) }
      isReached.pass("the callback was not reached")
      lock.withLock {
        isHeld.open()
        station.listen(other) { _ in }
        station.send(2)
        station.leave(other)
        station.leave(listener)
      }
    }
  }

  @Test func l1AnImmediateCallbackRunsUnderNoLock() {
    let property = Publishable(wrappedValue: 0)
    let (subscriber, other) = (Somebody(), Somebody())
    let lock = NSLock()
    let (isReached, isHeld) = (Gate(), Gate())
    inParallel(2) { thread in
      if thread == 0 {
        property.subscribe(by: subscriber, immediate: true) { _, changes in
          guard changes.new == 0 else { return }
          isReached.open()
          isHeld.pass("nobody took the lock")
          lock.withLock {}
        }
      } else {
        isReached.pass("the callback was not reached")
        lock.withLock {
          isHeld.open()
          property.subscribe(by: other, immediate: true) { _, _ in }
          property.wrappedValue = 1
          property.publish()
          property.unsubscribe(by: subscriber)
        }
      }
    }
    #expect(property.wrappedValue == 1)
  }

  @Test func l1ValuesAndSubscribersAreReleasedUnderNoLock() {
    let property = Box<Publishable<Witness?>>(Publishable(wrappedValue: nil))
    let released = Counter()
    let readsItsProperty: @Sendable () -> Void = {
      property.value?.wrappedValue?.touch()
      property.value?.unsubscribe(by: Somebody())
      released.increment()
    }
    property.value?.wrappedValue = Witness(readsItsProperty)
    property.value?.wrappedValue = Witness()
    #expect(released.value == 1)
    // Enough of them to have the dead ones looked for, while callbacks are what holds them.
    for _ in 0..<100 {
      let subscriber = Somebody()
      let captive = Witness(readsItsProperty)
      property.value?.subscribe(by: subscriber) { _, _ in captive.touch() }
    }
    property.value?.publish()
    #expect(released.value == 101)
    property.value = nil
  }
}
