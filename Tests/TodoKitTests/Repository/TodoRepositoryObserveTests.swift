import Foundation
import Reactive
import Synchronization
import Testing
import TodoKit

/// What observers of every repository are told; each test runs against each kind.
@Suite("TodoRepository, observed")
struct TodoRepositoryObserveTests {
  @Test(arguments: RepositoryKind.allCases)
  func theCurrentListComesFirstThenOneAfterEachCommit(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.add(.numbered(1))
    let lists = Recorder(repository.observe(.all))
    #expect(lists.elements == [[.numbered(1)]])
    try repository.add(.numbered(2))
    _ = try repository.setDone([.numbered(1)], true)
    _ = try repository.delete([.numbered(2)])
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
    try repository.add(.numbered(1))
    _ = try repository.setDone([.numbered(1)], false)
    #expect(done.elements == [[]])
    #expect(undone.elements == [[], [.numbered(1)]])
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatFailedIsNotDelivered(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.add(.numbered(1))
    let lists = Recorder(repository.observe(.all))
    #expect(throws: TodoError.self) {
      try repository.setDone([.numbered(1), .numbered(2)], true)
    }
    #expect(lists.elements == [[.numbered(1)]])
    #expect(!lists.hasEnded)
  }

  @Test(arguments: RepositoryKind.allCases)
  func whoeverDisposesHearsNothingMore(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let heard = Mutex<[Int]>([])
    let subscription = repository.observe(.all)
      .subscribe(onNext: { items in heard.withLock { $0.append(items.count) } })
    try repository.add(.numbered(1))
    subscription.dispose()
    try repository.add(.numbered(2))
    #expect(heard.withLock { $0 } == [0, 1])
  }

  @Test(arguments: RepositoryKind.allCases)
  func severalObserversSeeTheSameLists(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let early = Recorder(repository.observe(.all))
    try repository.add(.numbered(1))
    let late = Recorder(repository.observe(.all))
    try repository.add(.numbered(2))
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
        try repository.add(.numbered(items.count + 1))
      } catch {
        errors.withLock { $0.append(error) }
      }
    }).disposed(by: bag)
    let last = Recorder(repository.observe(.all))
    try repository.add(.numbered(1))
    #expect(errors.withLock { $0.isEmpty })
    #expect(first.elements.map(\.count).last == 4)
    #expect(last.elements.map(\.count).last == 4)
    #expect(isStrictlyAscending(first.elements.map(\.count)))
    #expect(isStrictlyAscending(last.elements.map(\.count)))
  }

  @Test(arguments: RepositoryKind.allCases)
  func asynchronousCommitsAreDeliveredToo(kind: RepositoryKind) async throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let lists = Recorder(repository.observe(.all))
    try await repository.add(.numbered(1))
    _ = try await repository.delete([.numbered(1)])
    #expect(lists.elements == [[], [.numbered(1)], []])
  }

  @Test(arguments: RepositoryKind.allCases)
  func commitsAtTheSameTimeAreDeliveredInTheirOrder(kind: RepositoryKind) async throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let lists = Recorder(repository.observe(.all))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 1...25 { try await repository.add(.numbered(writer * 100 + number)) }
        }
      }
      try await group.waitForAll()
    }
    #expect(lists.elements.last?.count == 100)
    #expect(isStrictlyAscending(lists.elements.map(\.count)))
  }

  @Test(arguments: RepositoryKind.allCases)
  func anObserverKeepsNoRepositoryAlive(kind: RepositoryKind) throws {
    weak var released: (any TodoRepository)?
    var made: (repository: any TodoRepository, folder: TemporaryFolder?)? = try kind.make()
    released = made?.repository
    let lists = Recorder(try #require(made?.repository.observe(.all)))
    made = nil
    #expect(released == nil)
    #expect(lists.elements == [[]])
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
    try repository.add(.numbered(1))
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
