import Dispatch
import Reactive

/// Every operator there is.
///
/// A new one goes in here, and with that through the whole law suite.
enum OperatorTable {
  static let operators = transforming + filtering + combining + failing + sharing + timed

  private static let transforming: [OperatorEntry] = [
    OperatorEntry("Map", "map", .throwing) { source, probe in
      source.map { element in
        try probe.visit()
        return element
      }
    },
    OperatorEntry("Map", "compactMap", .throwing) { source, probe in
      source.compactMap { element in
        try probe.visit()
        return element
      }
    },
    OperatorEntry("FlatMap", "flatMap", .throwing) { source, probe in
      source.flatMap { element in
        try probe.visit()
        return Observable.just(element)
      }
    },
    OperatorEntry("FlatMapLatest", "flatMapLatest", .throwing) { source, probe in
      source.flatMapLatest { element in
        try probe.visit()
        return Observable.just(element)
      }
    },
    OperatorEntry("FlatMap", "flatMapFirst", .throwing) { source, probe in
      source.flatMapFirst { element in
        try probe.visit()
        return Observable.just(element)
      }
    },
    OperatorEntry("FlatMap", "concatMap", .throwing) { source, probe in
      source.concatMap { element in
        try probe.visit()
        return Observable.just(element)
      }
    },
    OperatorEntry("FlatMapLatest", "switchLatest") { source, _ in
      source.map { Observable.just($0) }.switchLatest()
    },
    OperatorEntry("Scan", "scan", .throwing) { source, probe in
      source.scan(0) { _, element in
        try probe.visit()
        return element
      }
    },
    OperatorEntry("Scan", "scan(into:)", .throwing) { source, probe in
      source.scan(into: 0) { result, element in
        try probe.visit()
        result = element
      }
    },
    OperatorEntry("Reduce", "reduce", .throwing, empty: "0 |") { source, probe in
      source.reduce(0) { _, element in
        try probe.visit()
        return element
      }
    },
    OperatorEntry("Reduce", "reduce(mapResult:)", .throwing, empty: "0 |", consumed: 9) {
      source, probe in
      source.reduce(0, accumulator: { $1 }) { element in
        try probe.visit()
        return element
      }
    },
    OperatorEntry("Reduce", "toArray", empty: "0 |") { source, _ in
      source.toArray().asObservable().map(\.count)
    },
    OperatorEntry("Materialize", "materialize", empty: "9 |", failed: "9 |") { source, _ in
      source.materialize().map { $0.element ?? 9 }
    },
    OperatorEntry("Map", "enumerated") { source, _ in
      source.enumerated().map(\.element)
    },
    OperatorEntry("Materialize", "dematerialize") { source, _ in
      source.materialize().dematerialize()
    },
    OperatorEntry("WithUnretained", "withUnretained", .throwing) { source, probe in
      source.withUnretained(probe) { probe, element in
        try probe.visit()
        return element
      }
    },
  ]

  private static let filtering: [OperatorEntry] = [
    OperatorEntry("Filter", "filter", .throwing) { source, probe in
      source.filter { _ in
        try probe.visit()
        return true
      }
    },
    OperatorEntry("DistinctUntilChanged", "distinctUntilChanged") { source, _ in
      source.distinctUntilChanged()
    },
    OperatorEntry("DistinctUntilChanged", "distinctUntilChanged(key)", .throwing) {
      source, probe in
      source.distinctUntilChanged { element in
        try probe.visit()
        return element
      }
    },
    OperatorEntry("Take", "take") { source, _ in source.take(9) },
    OperatorEntry("Take", "take(while:)", .throwing) { source, probe in
      source.take(while: { _ in
        try probe.visit()
        return true
      })
    },
    OperatorEntry("Take", "take(until:)") { source, _ in
      source.take(until: Observable<Int>.never())
    },
    OperatorEntry("Take", "take(until: condition)", .throwing) { source, probe in
      source.take(until: { _ in
        try probe.visit()
        return false
      })
    },
    OperatorEntry("Take", "takeLast") { source, _ in source.takeLast(9) },
    OperatorEntry("Skip", "skip") { source, _ in source.skip(0) },
    OperatorEntry("Skip", "skip(while:)", .throwing) { source, probe in
      source.skip(while: { _ in
        try probe.visit()
        return false
      })
    },
    OperatorEntry("Skip", "skip(until:)") { source, _ in
      source.skip(until: Observable.just(0))
    },
    OperatorEntry("SingleElement", "first", empty: "0 |") { source, _ in
      source.first().asObservable().map { $0 ?? 0 }
    },
    OperatorEntry("Filter", "ignoreElements") { source, _ in
      source.ignoreElements().map(unreachable)
    },
    OperatorEntry("SingleElement", "element(at:)", empty: "xargumentOutOfRange") { source, _ in
      source.element(at: 0)
    },
    OperatorEntry("IfEmpty", "ifEmpty(default:)", empty: "7 |") { source, _ in
      source.ifEmpty(default: 7)
    },
    OperatorEntry("IfEmpty", "ifEmpty(switchTo:)", empty: "7 |") { source, _ in
      source.ifEmpty(switchTo: .just(7))
    },
    OperatorEntry("SingleElement", "single", .throwing, empty: "xnoElements") { source, probe in
      source.single { _ in
        try probe.visit()
        return true
      }
    },
  ]

  private static let combining: [OperatorEntry] = [
    OperatorEntry("CombineLatest", "combineLatest", .throwing) { source, probe in
      Observable.combineLatest(Observable.just(0), source) { _, element in
        try probe.visit()
        return element
      }
    },
    OperatorEntry("CombineLatest", "combineLatest(collection)", .throwing) { source, probe in
      Observable.combineLatest([.just(0), source]) { elements in
        try probe.visit()
        return elements[1]
      }
    },
    OperatorEntry("Zip", "zip", .throwing) { source, probe in
      Observable.zip(Observable.from(1...9), source) { _, element in
        try probe.visit()
        return element
      }
    },
    OperatorEntry("TupleOverloads", "zip(tuple)") { source, _ in
      Observable.zip(Observable.from(1...9), source).map { $0.1 }
    },
    OperatorEntry("TupleOverloads", "combineLatest(tuple)") { source, _ in
      Observable.combineLatest(Observable.just(0), source).map { $0.1 }
    },
    OperatorEntry("Zip", "zip(collection)", .throwing) { source, probe in
      Observable.zip([.from(1...9), source]) { elements in
        try probe.visit()
        return elements[1]
      }
    },
    OperatorEntry("Merge", "merge") { source, _ in Observable.merge(source, .empty()) },
    OperatorEntry("Merge", "merge(maxConcurrent:)") { source, _ in
      Observable.of(source, .empty()).merge(maxConcurrent: 1)
    },
    OperatorEntry("Concat", "concat") { source, _ in source.concat(Observable.empty()) },
    OperatorEntry("Concat", "concat of elements") { source, _ in
      Observable.of(source, .empty()).concat()
    },
    OperatorEntry("Concat", "startWith", empty: "0 |", failed: "0 xfirst", never: "0") {
      source, _ in source.startWith(0)
    },
    OperatorEntry("WithLatestFrom", "withLatestFrom", .throwing) { source, probe in
      source.withLatestFrom(Observable.just(0)) { element, _ in
        try probe.visit()
        return element
      }
    },
  ]

  private static let failing: [OperatorEntry] = [
    OperatorEntry("Catch", "catch", failed: "7 |") { source, probe in
      source.catch { _ in
        try probe.visit()
        return .just(7)
      }
    },
    OperatorEntry("Catch", "catchAndReturn", failed: "7 |") { source, _ in
      source.catchAndReturn(7)
    },
    OperatorEntry("Catch", "catch(sequence:)") { source, _ in
      Observable<Int>.catch(sequence: [source, source])
    },
    OperatorEntry("Retry", "retry") { source, _ in source.retry(2) },
    OperatorEntry("Retry", "retry(when:)") { source, probe in
      source.retry(when: { errors in
        errors.flatMap { error in
          probe.look()
          return Observable<Int>.error(error)
        }
      })
    },
    OperatorEntry("Do", "do", .throwing) { source, probe in
      source.do(
        onNext: { _ in try probe.visit() }, onSubscribe: {}, onSubscribed: {}, onDispose: {})
    },
    OperatorEntry("Do", "do(afterNext:)", .throwing) { source, probe in
      source.do(afterNext: { _ in try probe.visit() })
    },
    OperatorEntry("Debug", "debug") { source, _ in source.debug("law suite") },
  ]

  private static let sharing: [OperatorEntry] = [
    OperatorEntry("Multicast", "share") { source, _ in source.share() },
    OperatorEntry("Multicast", "share(replay:)") { source, _ in source.share(replay: 2) },
    OperatorEntry("Multicast", "share(replay:scope:)") { source, _ in
      source.share(replay: 2, scope: .forever)
    },
    OperatorEntry("RefCount", "refCount") { source, _ in source.publish().refCount() },
    OperatorEntry("Multicast", "publish") { source, _ in source.publish().refCount() },
    OperatorEntry("Multicast", "replay") { source, _ in source.replay(2).refCount() },
    OperatorEntry("Multicast", "replayAll") { source, _ in source.replayAll().refCount() },
    OperatorEntry("Multicast", "multicast", .throwing, consumed: 0) { source, probe in
      source.multicast({
        try probe.visit()
        return PublishSubject<Int>()
      }) { $0 }
    },
    OperatorEntry("Create", "create") { source, _ in Observable.create { source.subscribe($0) } },
    OperatorEntry("Create", "Single.create", .calm) { source, probe in
      source.flatMap { element in
        Single<Int>.create { answer in
          probe.look()
          answer(.success(element))
          return Disposables.create()
        }
      }
    },
    OperatorEntry("FlatMap", "Maybe.ifEmpty") { source, _ in
      source.flatMap { Maybe.just($0).ifEmpty(default: 0) }
    },
    OperatorEntry("From", "just(scheduler:)") { source, _ in
      source.concatMap { Observable.just($0, scheduler: CurrentThreadScheduler.instance) }
    },
    OperatorEntry("Create", "deferred", .throwing, consumed: 0) { source, probe in
      Observable.deferred {
        try probe.visit()
        return source
      }
    },
  ]

  private static let timed = TimedPipelines.all.map { file, name, pipeline in
    let spans = TimedPipelines.Spans(short: .seconds(5), long: .seconds(900))
    return OperatorEntry(file, name) { source, probe in pipeline(source, probe.scheduler, spans) }
  }

  static let sources: [SourceEntry] = [
    SourceEntry("Just", "just", "1 |") { _ in .just(1) },
    SourceEntry("From", "just(scheduler:)", "1 |") { .just(1, scheduler: $0.scheduler) },
    SourceEntry("From", "of", "1 2 |") { _ in .of(1, 2) },
    SourceEntry("From", "from", "0 1 2") { _ in .from(0...) },
    SourceEntry("From", "from(scheduler:)", "1 2 |") {
      .from([1, 2], scheduler: $0.scheduler)
    },
    SourceEntry("From", "from(optional:)", "1 |") { _ in .from(optional: 1) },
    SourceEntry("Range", "range", "1 2 |") { _ in .range(start: 1, count: 2) },
    SourceEntry("Range", "range(scheduler:)", "1 2 |") {
      .range(start: 1, count: 2, scheduler: $0.scheduler)
    },
    SourceEntry("Create", "empty", "|") { _ in .empty() },
    SourceEntry("Create", "never", "") { _ in .never() },
    SourceEntry("Create", "error", "xfirst") { _ in .error(Failure.first) },
    SourceEntry("Timer", "timer", "0 |") { .timer(.seconds(5), scheduler: $0.scheduler) },
    SourceEntry("Timer", "timer(period:)", "0 1 2") {
      .timer(.seconds(5), period: .seconds(5), scheduler: $0.scheduler)
    },
    SourceEntry("Timer", "interval", "0 1 2") {
      .interval(.seconds(5), scheduler: $0.scheduler)
    },
  ]
}

/// Makes of nothing what there is none of.
private func unreachable(_ never: Never) -> Int {}
