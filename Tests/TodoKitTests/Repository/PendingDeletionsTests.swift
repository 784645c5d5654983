import Foundation
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

/// Questions before deletions, over every repository.
@Suite("PendingDeletions")
struct PendingDeletionsTests {
  @Test(arguments: RepositoryKind.allCases)
  func deletionHitsWhatWasSwipedAfterAnyReorder(kind: RepositoryKind) throws {
    var generator = SeededGenerator()
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let deletions = PendingDeletions(repository: repository)
    try repository.perform(.add((1...30).map { .numbered($0) }))
    for _ in 1...20 {
      let shown = try repository.items(.all)
      let swiped = try #require(shown.randomElement(using: &generator))
      let question = try deletions.request(items: [swiped.id])
      #expect(question.titles == [swiped.title])
      // While the dialog is open, the list is turned round and grows in front.
      let others = shown.filter { $0.id != swiped.id }
      try repository.perform(.move(others.map(\.id).shuffled(using: &generator), to: .first))
      let added = try repository.perform(.add(TodoItem(title: "added"))).items[0]
      try repository.perform(.move([added.id], to: .first))
      try repository.perform(.setDone(others.prefix(2).map(\.id), true))
      #expect(try deletions.confirm(question.token).items.map(\.id) == [swiped.id])
      let left = Set(try repository.items(.all).map(\.id))
      #expect(left == Set(others.map(\.id) + [added.id]), "seed \(generator.seed)")
      try repository.perform(.delete([added.id]))
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func aQuestionIsAnsweredOnce(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let deletions = PendingDeletions(repository: repository)
    try repository.perform(.add([.numbered(1), .numbered(2)]))
    let question = try deletions.request(items: [.numbered(1), .numbered(1)])
    #expect(question.items == [.numbered(1)])
    #expect(try deletions.confirm(question.token).items.count == 1)
    // Undone meanwhile, so that a second yes would find the item again.
    try repository.perform(.undo)
    let error = #expect(throws: TodoError.self) { try deletions.confirm(question.token) }
    #expect(error?.code == .noPendingDeletion)
    let other = try deletions.request(items: [.numbered(2)])
    deletions.cancel(other.token)
    deletions.cancel(other.token)
    #expect(throws: TodoError.self) { try deletions.confirm(other.token) }
    #expect(try repository.items(.all) == [.numbered(1), .numbered(2)])
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatIsGoneMeanwhileMakesTheWholeAnswerFail(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let deletions = PendingDeletions(repository: repository)
    try repository.perform(.add([.numbered(1), .numbered(2)]))
    let question = try deletions.request(items: [.numbered(1), .numbered(2)])
    try repository.perform(.delete([.numbered(2)]))
    #expect(
      #expect(throws: TodoError.self) { try deletions.confirm(question.token) }?.code
        == .itemNotFound)
    #expect(try repository.items(.all) == [.numbered(1)])
    #expect(throws: TodoError.self) { try deletions.request(items: [.numbered(2)]) }
    #expect(throws: TodoError.self) { try deletions.request(group: .numbered(2)) }
  }

  @Test(arguments: RepositoryKind.allCases)
  func aGroupGoesOnlyWithTheItemsThatWereShown(kind: RepositoryKind) async throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let deletions = PendingDeletions(repository: repository)
    let home = TodoGroup.numbered(1, name: "집안일")
    _ = try await repository.perform(
      .add(groups: [home], items: (1...7).map { .numbered($0, group: home.id) }))
    let stale = try deletions.request(group: home.id)
    #expect(stale.titles == ["집안일"] && stale.items.count == 7)
    try await repository.perform(.add(.numbered(8, group: home.id)))
    let error = await #expect(throws: TodoError.self) { try await deletions.confirm(stale.token) }
    #expect(error?.code == .changedSince)
    #expect(try repository.items(.all).count == 8)
    let fresh = try deletions.request(group: home.id)
    #expect(try await deletions.confirm(fresh.token).items.count == 8)
    #expect(try repository.items(.all) == [])
  }

  @Test func onlySoManyQuestionsStandAtATime() throws {
    let repository = PlainTodoRepository()
    let deletions = PendingDeletions(repository: repository)
    try repository.perform(.add(.numbered(1)))
    let first = try deletions.request(items: [.numbered(1)])
    for _ in 1..<PendingDeletions.countMax { _ = try deletions.request(items: [.numbered(1)]) }
    let last = try deletions.request(items: [.numbered(1)])
    #expect(throws: TodoError.self) { try deletions.confirm(first.token) }
    #expect(try deletions.confirm(last.token).items.count == 1)
  }

  /// Questions about large lists, which nobody answered, kept hundreds of megabytes.
  @Test func onlySoManyItemsWaitAtATime() throws {
    let repository = PlainTodoRepository()
    let deletions = PendingDeletions(repository: repository)
    let ids = (1...PendingDeletions.itemsMax / 2 + 1).map { UUID.numbered($0) }
    try repository.perform(.add(ids.indices.map { .numbered($0 + 1) }))
    let small = try deletions.request(items: [ids[0]])
    let first = try deletions.request(items: Array(ids.dropLast(2)))
    #expect(deletions.question(small.token) != nil)
    // Together just as many as there may be, then more.
    let second = try deletions.request(items: ids)
    #expect(deletions.question(small.token) == nil && deletions.question(first.token) != nil)
    let third = try deletions.request(items: ids)
    #expect(deletions.question(first.token) == nil && deletions.question(second.token) == nil)
    #expect(try deletions.confirm(third.token).items.count == ids.count)
  }

  @Test(arguments: RepositoryKind.allCases)
  func nothingIsDeletedBeforeTheUserSaysYes(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let deletions = PendingDeletions(repository: repository)
    let items: [TodoItem] = [.numbered(1, title: "우유 사기"), .numbered(2)]
    try repository.perform(.add(items))
    let question = try deletions.request(items: [items[0].id])
    #expect(question.titles == ["우유 사기"])
    #expect(try repository.items(.all) == items)
    deletions.cancel(question.token)
    #expect(throws: TodoError.self) { try deletions.confirm(question.token) }
    #expect(try repository.items(.all) == items)
    let another = try deletions.request(items: [items[0].id])
    #expect(try deletions.confirm(another.token).items == [items[0]])
    #expect(try repository.items(.all) == [items[1]])
  }
}
