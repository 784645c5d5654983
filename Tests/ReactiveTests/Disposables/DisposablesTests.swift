import Reactive
import Testing
import TestSupport

@Suite struct DisposablesTests {
  @Test func aClosureRunsOnce() {
    let count = Counter()
    let disposable = Disposables.create { count.increment() }
    #expect(!disposable.isDisposed)
    disposable.dispose()
    disposable.dispose()
    #expect(count.value == 1)
    #expect(disposable.isDisposed)
  }

  @Test func severalAreDisposedInOrder() {
    let journal = Journal()
    func part(_ name: String) -> any Disposable {
      Disposables.create { journal.write(name) }
    }
    Disposables.create(part("a"), part("b")).dispose()
    Disposables.create(part("c"), part("d"), part("e")).dispose()
    Disposables.create(part("f"), part("g"), part("h"), part("i")).dispose()
    Disposables.create([part("j"), part("k")]).dispose()
    Disposables.create().dispose()
    #expect(journal.line == "a b c d e f g h i j k")
  }

  @Test func booleanRemembersItsState() {
    let disposable = BooleanDisposable()
    #expect(!disposable.isDisposed)
    disposable.dispose()
    #expect(disposable.isDisposed)
    #expect(BooleanDisposable(isDisposed: true).isDisposed)
  }

  @Test func serialDisposesTheOneBefore() {
    let serial = SerialDisposable()
    let (first, second, late) = (BooleanDisposable(), BooleanDisposable(), BooleanDisposable())
    serial.disposable = first
    serial.disposable = second
    #expect(first.isDisposed && !second.isDisposed)
    serial.dispose()
    #expect(second.isDisposed && serial.isDisposed)
    serial.disposable = late
    #expect(late.isDisposed)
  }

  // SerialDisposable and RefCountDisposable passed only the disposal on: a source below them ran
  // until the scheduler was free to dispose it, which a source that occupies it prevented.
  @Test(arguments: Holder.all)
  func whatIsDisposedOnASchedulerStopsAtOnceBelowEveryHandle(holder: Holder) {
    let scheduler = VirtualTimeScheduler()
    let source = BooleanDisposable()
    let held = holder.hold(source)
    ScheduledDisposable(scheduler: scheduler, disposable: held).dispose()
    #expect(source.isDisposed)
    #expect((held as? any Cancelable)?.isDisposed != false)
    scheduler.start()
  }

  @Test func whatASerialDisposableReceivesAfterItWasStoppedIsStopped() {
    let scheduler = VirtualTimeScheduler()
    let serial = SerialDisposable()
    let (late, latest) = (BooleanDisposable(), BooleanDisposable())
    ScheduledDisposable(scheduler: scheduler, disposable: serial).dispose()
    serial.disposable = late
    #expect(late.isDisposed)
    scheduler.start()
    serial.disposable = latest
    #expect(latest.isDisposed)
  }
}

/// A disposable that holds another one.
struct Holder: Sendable, CustomTestStringConvertible {
  let name: String
  let hold: @Sendable (any Disposable) -> any Disposable

  var testDescription: String { name }

  static let all = [
    Holder(name: "CompositeDisposable") { CompositeDisposable(disposables: [$0]) },
    Holder(name: "create of two") { Disposables.create(Disposables.create(), $0) },
    Holder(name: "SingleAssignmentDisposable") { held in
      let single = SingleAssignmentDisposable()
      single.setDisposable(held)
      return single
    },
    Holder(name: "SerialDisposable") { held in
      let serial = SerialDisposable()
      serial.disposable = BooleanDisposable()
      serial.disposable = held
      return serial
    },
    Holder(name: "RefCountDisposable") { held in
      let counted = RefCountDisposable(disposable: held)
      counted.retain().dispose()
      return counted
    },
    Holder(name: "the last handle of a RefCountDisposable") { held in
      let counted = RefCountDisposable(disposable: held)
      let last = counted.retain()
      counted.dispose()
      return last
    },
    Holder(name: "ScheduledDisposable") {
      ScheduledDisposable(scheduler: CurrentThreadScheduler.instance, disposable: $0)
    },
  ]
}
