import Foundation
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

/// Random intents: what undo and redo make of a repository, to the byte.
@Suite("TodoRepository, its history in random use")
struct TodoRepositoryHistoryModelTests {
  /// Two repositories on one file, opened again now and then, and one in memory.
  @Test(arguments: [
    HistoryLimits(), HistoryLimits(commands: 1), HistoryLimits(commands: 5),
    HistoryLimits(bytes: 6_000), HistoryLimits(bytes: 0), HistoryLimits(commands: 0),
    .portions(of: 1), .portions(of: 2), .portions(of: 3, commands: 4),
    .portions(of: 1, commands: 0),
  ])
  func allRepositoriesAgreeThereAndBack(limits: HistoryLimits) throws {
    var random = RandomCommands()
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    func open() throws -> [CroftTodoRepository] {
      try (0..<2).map { _ in
        try CroftTodoRepository(path: path, limits: limits, now: { .noted })
      }
    }
    var stored = try open()
    let memory = PlainTodoRepository(limits: limits, now: { .noted })
    for step in 1...250 {
      if random.number(0..<50) == 0 { stored = try open() }
      let before = try Everything(memory)
      (random.items, random.groups) = (before.items, before.groups.map(\.group))
      let intent = random.next()
      var intents = [intent]
      if random.number(0..<3) == 0 { intents += [.undo, .redo] }
      for intent in intents {
        let writer = stored[random.number(0..<2)]
        let comment: Comment = "\(limits), seed \(random.generator.seed), step \(step): \(intent)"
        #expect(answer(of: writer, to: intent) == answer(of: memory, to: intent), comment)
        let (one, other) = (try Everything(stored[0]), try Everything(memory))
        try #require(one == other, comment)
      }
    }
  }

  @Test(arguments: RepositoryKind.allCases, [1000, 1, 2])
  func undoLeadsAllTheWayBackAndRedoAllTheWayForward(
    kind: RepositoryKind, rowsPerPortion: Int
  ) throws {
    var random = RandomCommands()
    let (repository, folder) = try kind.make(
      limits: .portions(of: rowsPerPortion, commands: 1_000))
    defer { withExtendedLifetime(folder) {} }
    var states = [try Everything(repository)]
    while states.count < 100 {
      let now = try Everything(repository)
      (random.items, random.groups) = (now.items, now.groups.map(\.group))
      let intent = random.next()
      if intent == .undo || intent == .redo { continue }
      let receipt = Result { try repository.perform(intent) }
      let next = try Everything(repository)
      if case .success(let receipt) = receipt {
        let comment: Comment = "seed \(random.generator.seed), \(intent)"
        #expect(receipt.isNoOp == (next == now), comment)
      }
      if next != now { states.append(next) }
    }
    for state in states.dropLast().reversed() {
      let command = try repository.perform(.undo).command
      let now = try Everything(repository)
      try #require(now == state, "seed \(random.generator.seed), undo of \(command)")
    }
    #expect(
      #expect(throws: TodoError.self) { try repository.perform(.undo) }?.code == .nothingToUndo)
    for state in states.dropFirst() {
      let command = try repository.perform(.redo).command
      let now = try Everything(repository)
      try #require(now == state, "seed \(random.generator.seed), redo of \(command)")
    }
  }

  private func answer(of repository: any TodoRepository, to command: TodoCommand) -> String {
    do {
      let result = try repository.perform(command)
      // The twin puts back states, not rows: it knows no order of the rows that change.
      let isReplay = command == .undo || command == .redo
      return "\(result.command) \(result.isNoOp) \(result.isUndoable) "
        + "\(isReplay ? result.items.sorted { $0.id < $1.id } : result.items) "
        + "\(isReplay ? result.groups.sorted { $0.id < $1.id } : result.groups)"
    } catch {
      return "\(error)"
    }
  }
}

extension HistoryLimits {
  /// Limits by which few rows are many, so that all commands cross the threshold.
  fileprivate static func portions(of rows: Int, commands: Int = 100) -> HistoryLimits {
    var limits = HistoryLimits(commands: commands)
    limits.rowsPerPortion = rows
    return limits
  }
}

/// All that a repository shows, and the bytes of it: texts may be equal and differ in those.
private struct Everything: Equatable {
  let items: [TodoItem]
  let groups: [GroupSummary]
  let tallies: [Tally]
  private let bytes: [Data]

  init(_ repository: any TodoRepository) throws {
    items = try repository.items(.all)
    groups = try repository.groups()
    tallies = try [.all, .important, .ungrouped].map { try repository.tally(of: $0) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    bytes = [try encoder.encode(items), try encoder.encode(groups.map(\.group))]
  }
}
