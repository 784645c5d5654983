// Written for RxSwift 6 and RxTest, with nothing changed but the two imports. Swift 5 mode.
import Reactive
import ReactiveTesting

enum NetworkError: Error { case offline }

final class SearchViewModel {
  let query = PublishSubject<String>()
  let category = BehaviorSubject<String>(value: "all")
  private(set) var log: [String] = []
  private let disposeBag = DisposeBag()
  private let scheduler: SchedulerType
  private let fetch: (String, String) -> Observable<[String]>

  lazy var results: Observable<[String]> =
    Observable
    .combineLatest(
      query.throttle(.seconds(10), latest: true, scheduler: scheduler).distinctUntilChanged(),
      category
    ) { (query: $0, category: $1) }
    .flatMapLatest { [unowned self] request in
      self.fetch(request.query, request.category)
        .retry(when: { [scheduler = self.scheduler] (errors: Observable<Error>) in
          errors
            .scan((count: 0, error: nil as Error?)) { ($0.count + 1, $1) }
            .flatMap { attempt, error -> Observable<Int> in
              if let error = error, attempt > 2 { return .error(error) }
              return Observable<Int>.timer(.seconds(5 * attempt), scheduler: scheduler)
            }
        })
        .catchAndReturn(["nothing"])
    }
    .share(replay: 1, scope: .whileConnected)

  init(scheduler: SchedulerType, fetch: @escaping (String, String) -> Observable<[String]>) {
    self.scheduler = scheduler
    self.fetch = fetch
    category
      .skip(1)
      .subscribe(onNext: { [weak self] in self?.log.append("category \($0)") })
      .disposed(by: disposeBag)
  }
}

final class SearchTests {
  let scheduler = TestScheduler(initialClock: 0)
  var disposeBag = DisposeBag()
  var requests: [String] = []

  func answer(_ query: String, _ category: String) -> Observable<[String]> {
    var attempt = 0
    return Observable.deferred { [scheduler] in
      attempt += 1
      self.requests.append("\(query) \(attempt) @ \(scheduler.clock)")
      if query == "boom" || (query == "sw" && attempt < 3) {
        return scheduler.createColdObservable([.error(5, NetworkError.offline)]).asObservable()
      }
      return
        scheduler
        .createColdObservable([.next(8, ["\(query) in \(category)"]), .completed(8)])
        .asObservable()
    }
  }

  func run() {
    let viewModel = SearchViewModel(scheduler: scheduler) { [unowned self] in
      self.answer($0, $1)
    }
    let typed = scheduler.createHotObservable([
      .next(210, "s"), .next(215, "sw"), .next(300, "swift"), .next(301, "swif"),
      .next(302, "swift"), .next(500, "boom"), .completed(560),
    ])
    let first = scheduler.createObserver([String].self)
    let second = scheduler.createObserver([String].self)

    scheduler.scheduleAt(200) {
      viewModel.results.subscribe(first).disposed(by: self.disposeBag)
      typed.subscribe(viewModel.query).disposed(by: self.disposeBag)
    }
    let late = SerialDisposable()
    scheduler.scheduleAt(350) { late.disposable = viewModel.results.subscribe(second) }
    scheduler.scheduleAt(400) { viewModel.category.onNext("books") }
    scheduler.scheduleAt(450) { late.dispose() }
    scheduler.scheduleAt(580) { self.disposeBag = DisposeBag() }
    scheduler.start()

    for event in first.events { print("first", event) }
    for event in second.events { print("second", event) }
    print(requests.joined(separator: ", "))
    print(viewModel.log, viewModel.query.hasObservers)
    print(typed.subscriptions.map { "\($0.subscribe) to \($0.unsubscribe)" })
  }
}

SearchTests().run()
