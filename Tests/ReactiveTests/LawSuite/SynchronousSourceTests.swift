import Dispatch
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// Sources that emit during their subscription, and are disposed meanwhile.
@Suite("Law suite: synchronous sources", .accounted)
struct SynchronousSourceTests {
  static let operators = OperatorTable.operators

  /// Operators that emit nothing before their source has ended, or before time has passed.
  static let lateOperators: Set<String> = [
    "reduce", "reduce(mapResult:)", "toArray", "takeLast", "ignoreElements", "debounce",
    "throttle first", "delay", "sample", "observe(on:)", "skip(for)", "skip(until:)",
  ]

  /// How many elements the source emits within a chain.
  private func work(
    _ source: SynchronousSource, _ chain: (Observable<Int>, Probe) -> Observable<Int>
  ) -> Int {
    let probe = Probe()
    let elements = Counter()
    let counted = source.build(40).do(onNext: { _ in elements.increment() })
    let subscription = chain(counted, probe).subscribe(onError: { _ in })
    probe.settle()
    subscription.dispose()
    probe.settle()
    return elements.value
  }

  // The disposal waited for the scheduler, which the source occupied: `take(3)` of an endless
  // sequence completed, and the sequence ran on for ever.
  @Test(arguments: operators)
  func d9ASourceStopsWhenAnOperatorEndsAlsoBelowSubscribeOn(entry: OperatorEntry) {
    for source in SynchronousSource.all {
      for end in EarlyEnd.all {
        let direct = work(source) { end.apply(entry.build($0, $1)) }
        let above = work(source) {
          end.apply(entry.build($0, $1)).subscribe(on: $1.scheduler)
        }
        let below = work(source) {
          end.apply(entry.build($0, $1).subscribe(on: $1.scheduler))
        }
        let twice = work(source) {
          end.apply(
            entry.build($0, $1).subscribe(on: $1.scheduler).subscribe(on: $1.scheduler))
        }
        let story = Comment("\(source.name), \(end.name)")
        if !Self.lateOperators.contains(entry.name) { #expect(direct <= 10, story) }
        #expect([above, below, twice] == [direct, direct, direct], story)
      }
    }
  }

  // A source whose subscription was kept in a SerialDisposable or a RefCountDisposable emitted to its
  // end: they did not tell it that it was stopped, and it occupied the scheduler of its disposal.
  @Test(arguments: operators)
  func d9ASourceStopsBelowEveryHandleThatHoldsItsSubscription(entry: OperatorEntry) {
    for (row, source) in SynchronousSource.all.enumerated() {
      for (column, end) in EarlyEnd.all.enumerated() {
        let holder = Holder.all[(row + column) % Holder.all.count]
        let direct = work(source) { end.apply(entry.build($0, $1)) }
        let held = work(source) { source, probe in
          let chain = entry.build(source, probe).subscribe(on: probe.scheduler)
          let kept = Observable<Int>.create { observer in
            holder.hold(
              chain.subscribe(
                onNext: { observer.onNext($0) }, onError: { observer.onError($0) },
                onCompleted: { observer.onCompleted() }))
          }
          return end.apply(kept.subscribe(on: probe.scheduler))
        }
        #expect(held == direct, "\(source.name), \(end.name), \(holder.name)")
      }
    }
  }

  // A screen that was left computed further: the disposal waited for the queue that computed.
  @Test(arguments: operators)
  func d9ASourceThatOccupiesAQueueStopsWhenAnotherThreadDisposes(entry: OperatorEntry) {
    let probe = Probe()
    let scheduler = SerialDispatchQueueScheduler(qos: .default)
    let (reached, disposed, isFree) = (Gate(), Gate(), Gate())
    let elements = Counter()
    let source = Observable.range(start: 0, count: 100_000).do(onNext: { element in
      elements.increment()
      if element == 3 {
        reached.open()
        disposed.pass("the other thread did not dispose")
      }
    })
    let isLate = ["delaySubscription", "subscribe(on:)", "element(at:)", "single", "first"]
    if isLate.contains(entry.name) { return }
    let subscription = entry.build(source, probe).subscribe(on: scheduler).subscribe()
    reached.pass("the source did not run")
    subscription.dispose()
    disposed.open()
    _ = scheduler.schedule(()) {
      isFree.open()
      return Disposables.create()
    }
    isFree.pass("the source occupies the queue")
    #expect(elements.value == 4)
  }

  // `just(5).do(onCompleted: a, onDispose: b).take(1)` called b, and then a; and onDispose was
  // called before onSubscribed.
  @Test(arguments: operators)
  func d10NothingIsCalledAfterOnDispose(entry: OperatorEntry) {
    for (row, source) in SynchronousSource.all.enumerated() {
      for (column, end) in EarlyEnd.all.enumerated() {
        let placement = (row + column) % 3
        let probe = Probe()
        let journals = [Journal(), Journal()]
        var chain = journaled(source.build(9), journals[0])
        if placement == 1 { chain = chain.subscribe(on: probe.scheduler) }
        chain = journaled(entry.build(chain, probe), journals[1])
        if placement == 2 { chain = chain.subscribe(on: probe.scheduler) }
        let subscription = end.apply(chain).subscribe(onError: { _ in })
        probe.settle()
        subscription.dispose()
        probe.settle()
        for (index, journal) in journals.enumerated() where !journal.lines.isEmpty {
          let story = Comment("\(source.name), \(end.name), \(placement), \(index)")
          expectDisposalIsLast(in: journal.lines, story)
        }
      }
    }
  }

  private func journaled(_ source: Observable<Int>, _ journal: Journal) -> Observable<Int> {
    source.do(
      onNext: { _ in journal.write("next") }, onError: { _ in journal.write("error") },
      onCompleted: { journal.write("completed") }, onSubscribe: { journal.write("subscribe") },
      onSubscribed: { journal.write("subscribed") }, onDispose: { journal.write("dispose") })
  }

  /// A source may be subscribed several times, one after the other.
  private func expectDisposalIsLast(in lines: [String], _ story: Comment) {
    var isOpen = false
    for line in lines {
      if line == "subscribe" {
        #expect(!isOpen, story)
        isOpen = true
      } else {
        #expect(isOpen, story)
      }
      if line == "dispose" { isOpen = false }
    }
    #expect(!isOpen, story)
  }
}
