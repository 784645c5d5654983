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
}
