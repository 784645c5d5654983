import Foundation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// The laws that every operator keeps, each run for every operator there is.
@Suite("Law suite", .accounted)
struct OperatorLawTests {
  static let operators = OperatorTable.operators
  static let throwing = operators.filter { $0.userCode == .throwing }
  static let calling = operators.filter { $0.userCode != .none }

  @Test func everyFileOfOperatorsIsInTheTable() throws {
    let folder = Pages.root.appending(path: "Sources").appending(path: "Reactive")
      .appending(path: "Operators")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }
    let table = Set(Self.operators.map(\.file) + OperatorTable.sources.map(\.file))
    #expect(table.symmetricDifference(files) == [], "give each file an entry in OperatorTable")
  }

  /// A file holds a family of operators, so each of them is looked for by its name too.
  @Test func everyOperatorIsInTheTable() throws {
    let sources = try Pages.sources(below: "Sources/Reactive/Operators").joined()
    let operators = sources.matches(of: /\n  public (?:static )?(?:func|var) `?(\w+)/)
      .map { String($0.1) }.filter { !["callAsFunction"].contains($0) }
    #expect(Set(operators).count > 50)
    let names = (Self.operators.map(\.name) + OperatorTable.sources.map(\.name))
      .map { String($0.prefix { $0.isLetter }) }
    #expect(Set(operators).subtracting(names) == [], "give each an entry in OperatorTable")
  }

  @Test(arguments: operators)
  func itKnowsEmptyFailingAndSilentSources(entry: OperatorEntry) {
    let sources: [Observable<Int>] = [.empty(), .error(Failure.first), .never()]
    let lines = sources.map { source in
      let probe = Probe()
      let recorder = Recorder<Int>()
      let subscription = entry.build(source, probe).subscribe(recorder)
      probe.settle()
      subscription.dispose()
      probe.settle()
      return recorder.line
    }
    #expect(lines == [entry.empty, entry.failed, entry.never])
  }

  @Test(arguments: throwing)
  func e1WhatItsClosureThrowsIsSentAndTheSourceDisposed(entry: OperatorEntry) {
    let probe = Probe()
    probe.visits { throw Failure.second }
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = entry.build(source, probe).subscribe(recorder)
    source.onNext(1)
    source.onNext(2)
    source.onCompleted()
    #expect(recorder.events.last?.error as? Failure == .second)
    #expect(recorder.events.count { $0.isStopEvent } == 1)
    #expect(!source.hasObservers)
    // Also while the source still runs inside its subscription, which then ends early.
    let consumed = Counter()
    let synchronous = Recorder<Int>()
    let nine = Observable.from(1...9).do(onNext: { _ in consumed.increment() })
    _ = entry.build(nine, probe).subscribe(synchronous)
    #expect(synchronous.events.last?.error as? Failure == .second)
    #expect(consumed.value == entry.consumed)
  }

  // A source that ended inside the closure of `create` had no teardown yet, and `onDispose` was
  // called before that ran; it was called after it when the source ended later.
  @Test(arguments: operators, [nil, Failure.first])
  func d8OnDisposeComesAfterTheTeardownOfASourceThatEndsInsideCreate(
    entry: OperatorEntry, failure: Failure?
  ) {
    let probe = Probe()
    let journal = Journal()
    let source = Observable<Int>.create { observer in
      observer.onNext(1)
      observer.onNext(2)
      if let failure { observer.onError(failure) } else { observer.onCompleted() }
      return Disposables.create { journal.write("teardown") }
    }
    let subscription = entry.build(source, probe)
      .do(onDispose: { journal.write("onDispose") }).subscribe(onError: { _ in })
    probe.settle()
    subscription.dispose()
    probe.settle()
    #expect(journal.lines.count { $0 == "onDispose" } == 1)
    #expect(journal.lines.contains("teardown"))
    #expect(journal.lines.last == "onDispose")
  }

  @Test(arguments: operators)
  func nothingArrivesAfterDisposalFromWithinAnElement(entry: OperatorEntry) {
    let probe = Probe()
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    let subscription = SerialDisposable()
    subscription.disposable = entry.build(source, probe)
      .do(afterNext: { _ in subscription.dispose() }).subscribe(recorder)
    probe.settle()
    for element in 1...3 {
      source.onNext(element)
      probe.settle()
    }
    source.onCompleted()
    probe.settle()
    // Those that send at the end alone have sent what they have to send by now.
    let isSilent = entry.name == "ignoreElements"
    #expect(recorder.events.count == 1)
    #expect(recorder.events.first?.isStopEvent == isSilent)
    #expect(!source.hasObservers)
  }

  @Test(arguments: operators)
  func aSourceThatSendsAtOnceIsStoppedByDisposalToo(entry: OperatorEntry) {
    let probe = Probe()
    let recorder = Recorder<Int>()
    let subscription = SerialDisposable()
    subscription.disposable = entry.build(.from(1...9), probe)
      .do(onNext: { _ in subscription.dispose() }).take(1).subscribe(recorder)
    probe.settle()
    subscription.dispose()
    probe.settle()
    #expect(recorder.events.count { !$0.isStopEvent } <= 1)
  }

  @Test(arguments: operators)
  func g2WhatIsSentFromWithinAHandlerWaitsItsTurn(entry: OperatorEntry) {
    let probe = Probe()
    let source = PublishSubject<Int>()
    let turnstile = Turnstile()
    let visits = Counter()
    let ends = Counter()
    let subscription = entry.build(source, probe).subscribe(
      onNext: { _ in
        turnstile.pass {
          if visits.increment() == 1 {
            source.onNext(2)
            source.onCompleted()
          }
        }
      }, onCompleted: { turnstile.pass { ends.increment() } })
    probe.settle()
    source.onNext(1)
    probe.settle()
    source.onCompleted()
    probe.settle()
    #expect(!turnstile.wasShared)
    // `single` fails at a second element instead of completing.
    #expect(ends.value == (entry.name == "single" ? 0 : 1))
    subscription.dispose()
  }

  @Test(arguments: operators, ["dispose", "completed", "error"])
  func m1AndM3NothingIsHeldAfterTheEndAlsoByAKeptDisposable(entry: OperatorEntry, end: String) {
    let probe = Probe()
    let source = PublishSubject<Int>()
    weak var captured: Witness?
    let subscription: any Disposable
    do {
      let witness = Witness()
      captured = witness
      subscription = entry.build(source, probe).subscribe(
        onNext: { _ in witness.touch() }, onError: { _ in witness.touch() },
        onDisposed: { witness.touch() })
    }
    // Those that subscribe later do, and those that wait hold two elements.
    probe.settle()
    #expect(captured != nil)
    source.onNext(1)
    if entry.name != "single" { source.onNext(2) }
    switch end {
    case "dispose": subscription.dispose()
    case "completed": source.onCompleted()
    default: source.onError(Failure.first)
    }
    probe.settle()
    #expect(captured == nil)
    #expect(!source.hasObservers)
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: operators)
  func l1UserCodeOfTheObserverRunsUnderNoLock(entry: OperatorEntry) {
    let probe = Probe()
    let meeting = Meeting()
    lockOrder(entry, probe, meeting, onEvent: { meeting.attend() })
  }

  @Test(arguments: calling)
  func l1UserCodeOfTheOperatorRunsUnderNoLock(entry: OperatorEntry) {
    let probe = Probe()
    let meeting = Meeting()
    probe.visits { meeting.attend() }
    lockOrder(entry, probe, meeting, onEvent: {})
    probe.visits(nil)
  }

  /// One thread sends into user code that wants a lock; another one holds that lock and
  /// subscribes to the same chain, sends to it and disposes it.
  private func lockOrder(
    _ entry: OperatorEntry, _ probe: Probe, _ meeting: Meeting,
    onEvent: @escaping @Sendable () -> Void
  ) {
    let source = PublishSubject<Int>()
    let chain = entry.build(source, probe)
    let subscription = chain.subscribe(
      onNext: { _ in onEvent() }, onError: { _ in onEvent() }, onCompleted: onEvent)
    probe.settle()
    meeting.hold(
      sending: {
        source.onNext(1)
        probe.settle()
        source.onCompleted()
        probe.settle()
      },
      meanwhile: {
        let another = chain.subscribe(onNext: { _ in }, onError: { _ in })
        source.onNext(2)
        another.dispose()
        subscription.dispose()
        _ = source.hasObservers
      })
    probe.settle()
  }

  #if DEBUG
    @Test func m5TheCountOfLiveResourcesReturnsToItsBaseline() {
      let baseline = Resources.total
      let probe = Probe()
      let source = PublishSubject<Int>()
      let subscriptions = Self.operators.map { $0.build(source, probe).subscribe() }
      probe.settle()
      #expect(Resources.total > baseline + subscriptions.count)
      source.onNext(1)
      for subscription in subscriptions { subscription.dispose() }
      probe.settle()
      // Only the handles themselves are kept, and nothing of the chains.
      #expect(Resources.total == baseline + subscriptions.count)
    }
  #endif
}
