import Reactive
import Testing

/// A virtual clock whose sources and results are lines of text: `210:1 220:2 250:|`.
struct VirtualTime: Sendable {
  let scheduler = VirtualTimeScheduler()

  /// Does something at a time.
  func at(_ time: Int, _ work: @escaping @Sendable () -> Void) {
    _ = scheduler.scheduleAbsoluteVirtual((), time: time) {
      work()
      return Disposables.create()
    }
  }

  /// Sends numbers at their times; `|` completes and `x` fails.
  func source(_ script: String) -> PublishSubject<Int> {
    let subject = PublishSubject<Int>()
    for entry in script.split(separator: " ") {
      let parts = entry.split(separator: ":")
      guard parts.count == 2, let time = Int(parts[0]) else {
        Issue.record("no event: \(entry)")
        continue
      }
      let event: Event<Int> =
        switch parts[1] {
        case "|": .completed
        case "x": .error(Failure.first)
        default: .next(Int(parts[1]) ?? -1)
        }
      at(time) { subject.on(event) }
    }
    return subject
  }

  /// Subscribes at 200, disposes at 1000, and returns what came in between.
  func run<Element>(
    disposed: Int = 1000, _ create: @escaping @Sendable () -> Observable<Element>
  ) -> String {
    let log = Journal()
    let subscription = SingleAssignmentDisposable()
    at(200) { [scheduler] in
      subscription.setDisposable(
        create().subscribe { event in
          let text =
            switch event {
            case .next(let element): "\(element)"
            case .error(let error): "x\(error)"
            case .completed: "|"
            }
          log.write("\(scheduler.clock):\(text)")
        })
    }
    at(disposed) { subscription.dispose() }
    scheduler.start()
    return log.line
  }
}

/// Every operator that takes a scheduler, as a chain of one.
enum TimedPipelines {
  /// What an operator waits for, and what it never waits for within a test.
  struct Spans {
    let short: RxTimeInterval
    let long: RxTimeInterval
  }

  typealias Pipeline = @Sendable (Observable<Int>, any SchedulerType, Spans) -> Observable<Int>

  static let all: [(file: String, name: String, pipeline: Pipeline)] = [
    ("Debounce", "debounce", { $0.debounce($2.short, scheduler: $1) }),
    ("Throttle", "throttle", { $0.throttle($2.short, scheduler: $1) }),
    ("Throttle", "throttle first", { $0.throttle($2.short, latest: false, scheduler: $1) }),
    ("Delay", "delay", { $0.delay($2.short, scheduler: $1) }),
    ("Timeout", "timeout", { $0.timeout($2.long, scheduler: $1) }),
    ("Sample", "sample", { $0.sample(Observable<Int>.interval($2.short, scheduler: $1)) }),
    ("ObserveOn", "observe(on:)", { source, scheduler, _ in source.observe(on: scheduler) }),
    ("SubscribeOn", "subscribe(on:)", { source, scheduler, _ in source.subscribe(on: scheduler) }),
    ("Delay", "delaySubscription", { $0.delaySubscription($2.short, scheduler: $1) }),
    ("Take", "take(for:)", { $0.take(for: $2.long, scheduler: $1) }),
    ("Skip", "skip(for)", { $0.skip($2.short, scheduler: $1) }),
  ]

  static var names: [String] { all.map(\.name) }

  static func named(_ name: String) throws -> Pipeline {
    try #require(all.first { $0.name == name }).pipeline
  }
}
