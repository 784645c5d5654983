import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Synchronization
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

/// What observers of every repository are told; each test runs against each kind.
@Suite("TodoRepository, observed")
struct TodoRepositoryObserveTests {
  @Test(arguments: RepositoryKind.allCases)
  func theCurrentListComesFirstThenOneAfterEachCommit(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(.numbered(1)))
    let lists = Recorder(repository.observe(.all))
    #expect(lists.elements == [[.numbered(1)]], "the first comes during the subscription")
    try repository.perform(.add(.numbered(2)))
    lists.wait { $0.count == 2 }
    try repository.perform(.setDone([.numbered(1)], true))
    lists.wait { $0.count == 3 }
    try repository.perform(.delete([.numbered(2)]))
    lists.wait { $0.count == 4 }
    #expect(
      lists.elements == [
        [.numbered(1)], [.numbered(1), .numbered(2)], [.numbered(2), .numbered(1, isDone: true)],
        [.numbered(1, isDone: true)],
      ])
    #expect(!lists.hasEnded)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aCommitThatLeavesTheListAsItWasDeliversNothing(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let done = Recorder(repository.observe(.done))
    let undone = Recorder(repository.observe(.undone))
    try repository.perform(.add(.numbered(1)))
    undone.wait { $0.count == 2 }
    try repository.perform(.setDone([.numbered(1)], false))
    try repository.perform(.add(.numbered(2, isDone: true)))
    done.wait { $0.count == 2 }
    #expect(done.elements == [[], [.numbered(2, isDone: true)]])
    #expect(undone.elements == [[], [.numbered(1)]])
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatFailedIsNotDelivered(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(.numbered(1)))
    let lists = Recorder(repository.observe(.all))
    #expect(throws: TodoError.self) {
      try repository.perform(.setDone([.numbered(1), .numbered(2)], true))
    }
    try repository.perform(.add(.numbered(3)))
    lists.wait { $0.count == 2 }
    #expect(lists.elements == [[.numbered(1)], [.numbered(1), .numbered(3)]])
    #expect(!lists.hasEnded)
  }

  @Test(arguments: RepositoryKind.allCases)
  func whoeverDisposesHearsNothingMore(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let heard = BehaviorRelay<[Int]>(value: [])
    let subscription = repository.observe(.all)
      .subscribe(onNext: { heard.accept(heard.value + [$0.count]) })
    let other = Recorder(repository.observe(.all))
    try repository.perform(.add(.numbered(1)))
    Recorder(heard.asObservable()).wait { $0.last == [0, 1] }
    subscription.dispose()
    try repository.perform(.add(.numbered(2)))
    other.wait { $0.last?.count == 2 }
    #expect(heard.value == [0, 1])
  }

  @Test(arguments: RepositoryKind.allCases)
  func severalObserversSeeTheSameLists(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let early = Recorder(repository.observe(.all))
    try repository.perform(.add(.numbered(1)))
    early.wait { $0.count == 2 }
    let late = Recorder(repository.observe(.all))
    try repository.perform(.add(.numbered(2)))
    early.wait { $0.count == 3 }
    late.wait { $0.count == 2 }
    #expect(early.elements.map(\.count) == [0, 1, 2])
    #expect(late.elements.map(\.count) == [1, 2])
  }

  @Test(arguments: RepositoryKind.allCases)
  func anObserverMayWrite(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let errors = Mutex<[any Error]>([])
    let bag = DisposeBag()
    let first = Recorder(repository.observe(.all))
    repository.observe(.all).subscribe(onNext: { items in
      guard (1...3).contains(items.count) else { return }
      do {
        try repository.perform(.add(.numbered(items.count + 1)))
      } catch {
        errors.withLock { $0.append(error) }
      }
    }).disposed(by: bag)
    let last = Recorder(repository.observe(.all))
    try repository.perform(.add(.numbered(1)))
    for lists in [first, last] {
      lists.wait { $0.last?.count == 4 }
      #expect(isStrictlyAscending(lists.elements.map(\.count)))
    }
    #expect(errors.withLock { $0.isEmpty })
  }

  @Test(arguments: RepositoryKind.allCases)
  func anObserverMayDisposeOfItselfAndOfOthers(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let heard = BehaviorRelay<[Int]>(value: [])
    let bag = CompositeDisposable()
    let witness = Recorder(repository.observe(.all))
    for _ in 1...3 {
      let subscription = repository.observe(.all).subscribe(onNext: { items in
        guard !items.isEmpty else { return }
        bag.dispose()
        heard.accept(heard.value + [items.count])
      })
      _ = bag.insert(subscription)
    }
    try repository.perform(.add(.numbered(1)))
    Recorder(heard.asObservable()).wait { $0.last == [1] }
    try repository.perform(.add(.numbered(2)))
    witness.wait { $0.last?.count == 2 }
    #expect(heard.value == [1], "the first that hears ends all three")
  }

  @Test(arguments: RepositoryKind.allCases)
  func anObserverMaySubscribeAndHasTheListAtOnce(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let inner = Mutex<[(known: Int, lists: Recorder<[TodoItem]>)]>([])
    let bag = DisposeBag()
    let atOnce = Recorder(
      repository.observe(.all).map { items -> Int? in
        guard items.count == 1 else { return nil }
        let lists = Recorder(repository.observe(.all))
        let known = lists.elements.last?.count
        inner.withLock { $0.append((known ?? -1, lists)) }
        return known
      })
    withExtendedLifetime(bag) {}
    try repository.perform(.add(.numbered(1)))
    atOnce.wait { $0.count == 2 }
    try repository.perform(.add(.numbered(2)))
    let (known, lists) = try #require(inner.withLock { $0.first })
    lists.wait { $0.last?.count == 2 }
    #expect(known >= 1)
  }

  @Test(arguments: RepositoryKind.allCases)
  func asynchronousCommitsAreDeliveredToo(kind: RepositoryKind) async throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let lists = Recorder(repository.observe(.all))
    try await repository.perform(.add(.numbered(1)))
    lists.wait { $0.count == 2 }
    try await repository.perform(.delete([.numbered(1)]))
    lists.wait { $0.count == 3 }
    #expect(lists.elements == [[], [.numbered(1)], []])
  }

  @Test(arguments: RepositoryKind.allCases)
  func commitsAtTheSameTimeAreDeliveredInTheirOrder(kind: RepositoryKind) async throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let observers = (0..<3).map { _ in Recorder(repository.observe(.all)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 1...25 {
            try await repository.perform(.add(.numbered(writer * 100 + number)))
          }
        }
      }
      try await group.waitForAll()
    }
    for lists in observers {
      lists.wait { $0.last?.count == 100 }
      #expect(isStrictlyAscending(lists.elements.map(\.count)))
      let ids = lists.elements.map { Set($0.map(\.id)) }
      #expect(zip(ids, ids.dropFirst()).allSatisfy { $0.isSubset(of: $1) }, "nothing goes back")
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func observersAreCalledOneAfterTheOther(kind: RepositoryKind) async throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1)
    try await repository.perform(.add(groups: [home], items: []))
    let busy = Mutex((now: 0, most: 0))
    func watched<Value>(_ source: Observable<Value>) -> Recorder<Value> {
      // The first value comes where somebody subscribes, which is here.
      Recorder(
        source.do(onNext: { _ in
          busy.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
          _ = try repository.tally(of: .all)
          busy.withLock { $0.now -= 1 }
        }))
    }
    let lists = watched(repository.observe(.all))
    let others = (
      watched(repository.changes(in: .group(id: home.id), .all)),
      watched(repository.observeGroups()), watched(repository.observeTally(of: .all)),
      watched(repository.observeHistory())
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 1...10 {
            try await repository.perform(.add(.numbered(writer * 100 + number, group: home.id)))
          }
        }
      }
      try await group.waitForAll()
    }
    lists.wait { $0.last?.count == 40 }
    others.1.wait { $0.last?.first?.tally == Tally(total: 40) }
    others.2.wait { $0.last == Tally(total: 40) }
    others.0.wait { $0.last?.after.count == 40 }
    if kind == .croft { #expect(busy.withLock { $0.most } == 1) }
    withExtendedLifetime(others) {}
  }

  @Test(arguments: RepositoryKind.allCases)
  func anObserverKeepsNoRepositoryAlive(kind: RepositoryKind) throws {
    weak var released: (any TodoRepository)?
    func observe() throws -> (observers: [Any], folder: TemporaryFolder?) {
      let (repository, folder) = try kind.make()
      released = repository
      let observers: [Any] = [
        Recorder(repository.observe(.all)), Recorder(repository.changes(in: .all, .all)),
        Recorder(repository.observeGroups()), Recorder(repository.observeTally(of: .all)),
        Recorder(repository.observeHistory()),
      ]
      return (observers, folder)
    }
    let observed = try observe()
    withExtendedLifetime(observed) { #expect(released == nil) }
  }

  private func isStrictlyAscending(_ numbers: [Int]) -> Bool {
    zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }
}

/// The stream that adds when it is subscribed.
@Suite("TodoRepository.addTask")
struct AddTaskStreamTests {
  @Test(arguments: RepositoryKind.allCases)
  func nothingIsAddedBeforeSomebodySubscribes(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    _ = repository.addTask(.numbered(1))
    #expect(try repository.items(.all) == [])
  }

  @Test(arguments: RepositoryKind.allCases)
  func theListAfterTheCommitComesOnceThenTheEnd(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(.numbered(1)))
    let lists = Recorder(repository.addTask(.numbered(2)))
    #expect(lists.elements == [[.numbered(1), .numbered(2)]])
    #expect(lists.completions == 1)
    #expect(lists.errors.isEmpty)
  }

  @Test(arguments: RepositoryKind.allCases)
  func anErrorTravelsInTheStream(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let adding = repository.addTask(.numbered(1))
    #expect(Recorder(adding).completions == 1)
    // Cold: the second subscription is a second addition, of an id that is taken.
    let second = Recorder(adding)
    #expect(second.elements.isEmpty)
    #expect(second.completions == 0)
    guard case .duplicate(.numbered(1)) = second.errors.first as? TodoError else {
      Issue.record("unexpected errors: \(second.errors)")
      return
    }
  }
}
