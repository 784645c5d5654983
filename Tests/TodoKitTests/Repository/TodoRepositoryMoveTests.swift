import Foundation
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

/// Moves: an item is put beside another, whatever has happened to the list meanwhile.
@Suite("TodoRepository, moves")
struct TodoRepositoryMoveTests {
  private func numbers(_ repository: any TodoRepository, _ list: ItemList = .all) throws -> [Int] {
    try repository.items(in: list, .all).map { Int($0.title.dropFirst(5)) ?? 0 }
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatStandsWhereItIsPutKeepsItsPlace(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    func move(_ numbers: [Int], _ position: Position) throws -> CommandResult {
      try repository.perform(.moveItems(ids: numbers.map { .numbered($0) }, to: position))
    }
    try repository.perform(.add((1...7).map { .numbered($0) }))
    // The remaining neighbours are at other distances than new ones would.
    try repository.perform(.delete([.numbered(2), .numbered(5), .numbered(6)]))
    let stored = try repository.items(.all)
    let idle: [([Int], Position)] = [
      ([1], .first), ([1, 3], .first), ([7], .last), ([4, 7], .last),
      ([3], .after(id: .numbered(1))), ([3, 4], .before(id: .numbered(7))),
      ([3, 4], .after(id: .numbered(3))),
      ([1, 3, 4, 7], .last), ([4], .before(id: .numbered(4))),
    ]
    for (ids, place) in idle {
      #expect(try move(ids, place).isNoOp, "\(ids) \(place)")
    }
    #expect(try repository.items(.all) == stored)
    let orders: [([Int], Position, [Int])] = [
      ([3, 1], .first, [3, 1, 4, 7]), ([1, 4], .last, [3, 7, 1, 4]),
      ([3], .after(id: .numbered(7)), [7, 3, 1, 4]), ([3], .first, [3, 7, 1, 4]),
    ]
    for (ids, place, order) in orders {
      #expect(try !move(ids, place).isNoOp, "\(ids) \(place)")
      #expect(try numbers(repository) == order)
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func anItemIsPutBeforeAndAfterAnother(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add((1...5).map { .numbered($0) }))
    try repository.perform(.move([.numbered(5)], to: .before(id: .numbered(2))))
    #expect(try numbers(repository) == [1, 5, 2, 3, 4])
    try repository.perform(.move([.numbered(1)], to: .after(id: .numbered(3))))
    #expect(try numbers(repository) == [5, 2, 3, 1, 4])
    try repository.perform(.move([.numbered(4)], to: .first))
    #expect(try numbers(repository) == [4, 5, 2, 3, 1])
    try repository.perform(.move([.numbered(5)], to: .last))
    #expect(try numbers(repository) == [4, 2, 3, 1, 5])
    try repository.perform(.move([.numbered(5), .numbered(4)], to: .after(id: .numbered(2))))
    #expect(try numbers(repository) == [2, 5, 4, 3, 1])
    try repository.perform(.move([.numbered(3)], to: .before(id: .numbered(3))))
    #expect(try numbers(repository) == [2, 5, 4, 3, 1])
    try repository.perform(.move([.numbered(2), .numbered(4)], to: .after(id: .numbered(4))))
    #expect(try numbers(repository) == [5, 2, 4, 3, 1])
  }

  @Test(arguments: RepositoryKind.allCases)
  func anUnknownNeighbourIsRefused(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add((1...2).map { .numbered($0) }))
    for verb in [
      { try repository.perform(.move([.numbered(1)], to: .before(id: .numbered(9)))) },
      { try repository.perform(.move([.numbered(1), .numbered(9)], to: .first)) },
    ] {
      let error = #expect(throws: TodoError.self) { try verb() }
      guard case .notFound(.numbered(9)) = error else {
        Issue.record("unexpected error: \(String(describing: error))")
        continue
      }
    }
    #expect(try numbers(repository) == [1, 2])
    #expect(try repository.perform(.move([], to: .first)).items == [])
  }

  /// Two windows show the same list; an index means something else in each after a move.
  @Test(arguments: RepositoryKind.allCases)
  func twoWindowsThatMoveDoNotFightOverIndexes(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add((1...4).map { .numbered($0) }))
    let windows = (try numbers(repository), try numbers(repository))
    #expect(windows.0 == windows.1)
    try repository.perform(.move([.numbered(1)], to: .last))
    try repository.perform(.move([.numbered(4)], to: .before(id: .numbered(3))))
    #expect(try numbers(repository) == [2, 4, 3, 1])
  }

  @Test(arguments: RepositoryKind.allCases)
  func aMoveHoldsInEveryListThatShowsBoth(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1)
    let items: [TodoItem] = (1...6).map {
      .numbered($0, isImportant: $0 > 3, group: $0 % 2 == 0 ? home.id : nil)
    }
    try repository.perform(.add(groups: [home], items: items))
    try repository.perform(.move([.numbered(6)], to: .before(id: .numbered(2))))
    #expect(try numbers(repository, .group(id: home.id)) == [6, 2, 4])
    #expect(try numbers(repository, .important) == [6, 4, 5])
    #expect(try numbers(repository) == [1, 6, 2, 3, 4, 5])
  }

  @Test(arguments: RepositoryKind.allCases)
  func groupsAreMovedToo(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(groups: (1...3).map { .numbered($0) }, items: []))
    try repository.perform(.moveGroup(.numbered(1003), to: .before(id: .numbered(1001))))
    #expect(try repository.groups().map(\.group.name) == ["group 3", "group 1", "group 2"])
    try repository.perform(.moveGroup(.numbered(1003), to: .after(id: .numbered(1002))))
    #expect(try repository.groups().map(\.group.name) == ["group 1", "group 2", "group 3"])
  }

  /// Always between the same two: room runs out, and only the neighbours are spread out again.
  @Test(arguments: RepositoryKind.allCases)
  func roomThatRunsOutIsMadeAgain(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add((1...400).map { .numbered($0) }))
    let far = try repository.item(.numbered(390))
    var expected = Array(1...400)
    // In turn, the last three are put directly after the first.
    for step in 0..<150 {
      let number = 398 + step % 3
      try repository.perform(.move([.numbered(number)], to: .after(id: .numbered(1))))
      expected.removeAll { $0 == number }
      expected.insert(number, at: 1)
    }
    #expect(try numbers(repository) == expected)
    let orders = try repository.items(.all).map(\.order)
    #expect(zip(orders, orders.dropFirst()).allSatisfy { $0 < $1 })
    #expect(try repository.item(.numbered(390)) == far)
  }

  @Test func randomMovesAgreeWithAnArray() throws {
    var generator = SeededGenerator()
    let (stored, folder) = try RepositoryKind.croft.make(limits: HistoryLimits(commands: 0))
    let memory = PlainTodoRepository(limits: HistoryLimits(commands: 0), now: { .noted })
    defer { withExtendedLifetime(folder) {} }
    var line = Array(1...12)
    // Nearly no room from the beginning: places are next to each other.
    let items = line.map { number in
      var item = TodoItem.numbered(number)
      item.order = Int64(number)
      return item
    }
    for repository in [stored, memory] { try repository.perform(.add(items)) }
    for step in 1...200 {
      let moved = Set(
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          Int.random(in: 1...12, using: &generator)
        }
      ).sorted { _, _ in Bool.random(using: &generator) }
      let anchor = Int.random(in: 1...12, using: &generator)
      let isBefore = Bool.random(using: &generator)
      let position: Position =
        isBefore ? .before(id: .numbered(anchor)) : .after(id: .numbered(anchor))
      // The other items are split at the anchor, and the moved ones inserted there.
      let cut = (line.firstIndex(of: anchor) ?? 0) + (isBefore ? 0 : 1)
      let front = line[..<cut].filter { !moved.contains($0) }
      let behind = line[cut...].filter { !moved.contains($0) }
      line = front + moved + behind
      for repository in [stored, memory] {
        try repository.perform(.move(moved.map { .numbered($0) }, to: position))
        let found = try numbers(repository)
        #expect(found == line, "step \(step), seed \(generator.seed)")
        guard found == line else { return }
      }
    }
    #expect(try stored.items(.all) == memory.items(.all), "seed \(generator.seed)")
  }
}
