import Reactive
import Testing

@Suite struct DisposeBagTests {
  @Test func whatIsWrittenBelowEachOtherIsDisposedInOrder() {
    let journal = Journal()
    func part(_ name: String) -> any Disposable {
      Disposables.create { journal.write(name) }
    }
    do {
      let bag = DisposeBag {
        part("a")
        part("b")
      }
      bag.insert {
        part("c")
        part("d")
      }
      bag.insert(part("e"), part("f"))
      bag.insert([part("g")])
      #expect(journal.line == "")
    }
    #expect(journal.line == "a b c d e f g")
  }

  @Test func itIsMadeOfDisposables() {
    let inner = [BooleanDisposable(), BooleanDisposable()]
    do { _ = DisposeBag(disposing: inner[0], inner[1]) }
    #expect(inner[0].isDisposed && inner[1].isDisposed)
  }
}
