import Foundation
import Testing
import TodoKit

/// The repositories that keep the contract, each with how to make an empty one.
enum RepositoryKind: String, CaseIterable, CustomTestStringConvertible {
  case plain, inMemory, croft

  var testDescription: String { rawValue }

  /// Makes an empty repository; the folder, if any, lives as long as the value returned.
  func make(
    limits: HistoryLimits = HistoryLimits()
  ) throws -> (repository: any TodoRepository, folder: TemporaryFolder?) {
    switch self {
    case .plain: return (PlainTodoRepository(limits: limits, now: { .noted }), nil)
    case .inMemory:
      return (try CroftTodoRepository.inMemory(limits: limits, now: { .noted }), nil)
    case .croft:
      let folder = try TemporaryFolder()
      let path = folder.path(to: "todo.croft")
      return (try CroftTodoRepository(path: path, limits: limits, now: { .noted }), folder)
    }
  }
}
