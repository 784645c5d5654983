import Reactive
import Testing

@Suite struct CompositeDisposableTests {
  @Test func disposesInInsertionOrder() {
    let journal = Journal()
    let composite = CompositeDisposable()
    for name in 1...5 { composite.insert(Disposables.create { journal.write("\(name)") }) }
    #expect(composite.count == 5)
    composite.dispose()
    composite.dispose()
    #expect(journal.line == "1 2 3 4 5")
    #expect(composite.isDisposed && composite.count == 0)
  }

  @Test func removesByKeyWithoutDisturbingTheOrder() throws {
    let journal = Journal()
    let composite = CompositeDisposable()
    var keys: [CompositeDisposable.DisposeKey] = []
    for name in 0..<100 {
      let part = Disposables.create { journal.write("\(name)") }
      keys.append(try #require(composite.insert(part)))
    }
    // Enough holes for the list to close up, the first place included.
    for name in 0..<90 { composite.remove(for: keys[name]) }
    composite.remove(for: keys[3])
    #expect(journal.lines == (0..<90).map(String.init))
    #expect(composite.count == 10)
    composite.insert(Disposables.create { journal.write("100") })
    composite.dispose()
    #expect(journal.lines == (0...100).map(String.init))
  }
}
