import Foundation
import ReactiveTestSupport
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

/// Random verbs against both repositories at once: they must never differ.
@Suite("TodoRepository, in random use")
struct TodoRepositoryModelTests {
  @Test func bothRepositoriesAgreeAfterEveryVerb() throws {
    var generator = SeededGenerator()
    let (stored, folder) = try RepositoryKind.croft.make()
    let memory = PlainTodoRepository(now: { .noted })
    defer { withExtendedLifetime(folder) {} }
    let observed = [stored, memory].map { Recorder($0.observe(.all)) }
    for repository in [stored, memory] {
      try repository.perform(.add(groups: [.numbered(1), .numbered(2)], items: []))
    }
    for step in 1...400 {
      let verb = Verb.random(using: &generator)
      let answers = [stored, memory].map { repository in Answer { try verb.run(on: repository) } }
      #expect(answers[0] == answers[1], "step \(step), seed \(generator.seed): \(verb)")
      for filter in ItemFilter.allCases {
        let lists = try [stored, memory].map { try $0.items(filter) }
        #expect(lists[0] == lists[1], "step \(step), seed \(generator.seed): \(verb)")
      }
      let groups = try [stored, memory].map { try $0.groups() }
      #expect(groups[0] == groups[1], "step \(step), seed \(generator.seed): \(verb)")
      let histories = try [stored, memory].map { try $0.history() }
      #expect(histories[0] == histories[1], "step \(step), seed \(generator.seed): \(verb)")
      guard answers[0] == answers[1] else { return }
      let list = try memory.items(.all)
      for lists in observed { lists.wait { $0.last == list } }
    }
    #expect(observed[0].elements == observed[1].elements, "seed \(generator.seed)")
  }
}

/// What a verb gave back, comparable even when it threw.
private enum Answer: Equatable {
  case items([TodoItem])
  case failure(String)

  init(_ body: () throws -> [TodoItem]) {
    do { self = .items(try body()) } catch { self = .failure("\(error)") }
  }
}

private enum Verb {
  case add(TodoItem)
  case setDone([UUID], Bool)
  case setPriority([UUID], Priority)
  case retitle(UUID, String)
  case delete([UUID])
  case intent(TodoCommand)

  /// Few ids, so that verbs find items, repeat ids and miss some; few dates, so that they tie.
  static func random(using generator: inout SeededGenerator) -> Verb {
    func id() -> UUID { .numbered(Int.random(in: 1...25, using: &generator)) }
    func ids() -> [UUID] { (0..<Int.random(in: 0...3, using: &generator)).map { _ in id() } }
    func group() -> UUID? {
      [.numbered(1001), .numbered(1002), nil].randomElement(using: &generator) ?? nil
    }
    func priority() -> Priority { Priority.allCases.randomElement(using: &generator) ?? .none }
    switch Int.random(in: 0..<16, using: &generator) {
    case 0..<5:
      return .add(
        .numbered(
          Int.random(in: 1...25, using: &generator), priority: priority(),
          isDone: Bool.random(using: &generator), minute: Int.random(in: -2...2, using: &generator))
      )
    case 5, 6: return .setDone(ids(), Bool.random(using: &generator))
    case 7: return .setPriority(ids(), priority())
    case 8: return .retitle(id(), "title \(Int.random(in: 0...9, using: &generator))")
    case 9: return .delete(ids())
    case 10: return .intent(.undo)
    case 11: return .intent(.redo)
    case 12:
      let places: [Position] = [.first, .last, .before(id: id()), .after(id: id())]
      return .intent(
        .moveItems(ids: ids(), to: places.randomElement(using: &generator) ?? .last))
    case 13:
      let patch = ItemPatch(isImportant: Bool.random(using: &generator), groupID: .some(group()))
      return .intent(.editItems(ids: ids(), patch: patch))
    case 14:
      let name = ["group", "Group ", ""].randomElement(using: &generator)
      return .intent(.editGroup(id: group() ?? .numbered(7), patch: GroupPatch(name: name)))
    default:
      return Bool.random(using: &generator)
        ? .intent(.moveGroup(id: group() ?? .numbered(7), to: .first))
        : .intent(.deleteAll(list: .important, filter: .all))
    }
  }

  func run(on repository: any TodoRepository) throws -> [TodoItem] {
    switch self {
    case .add(let item):
      return [try repository.perform(.add(item)).items[0]]
    case .setDone(let ids, let isDone): return try repository.perform(.setDone(ids, isDone)).items
    case .setPriority(let ids, let priority):
      return try repository.perform(.setPriority(ids, priority)).items
    case .retitle(let id, let title):
      return [try repository.perform(.retitle(id, to: title)).items[0]]
    case .delete(let ids): return try repository.perform(.delete(ids)).items
    case .intent(let command):
      let items = try repository.perform(command).items
      // The twin puts back states, not rows: it knows no order of the rows that change.
      let isReplay = command == .undo || command == .redo
      return isReplay ? items.sorted { $0.id < $1.id } : items
    }
  }
}
