package import Foundation
import Testing
package import TestSupport
package import TodoKit

/// The repositories that keep the contract: the plain twin, and the stored one on disk.
package enum RepositoryKind: String, CaseIterable, CustomTestStringConvertible {
  case plain, croft

  package var testDescription: String { rawValue }

  /// Makes an empty repository; the folder, if any, lives as long as the value returned.
  package func make(
    limits: HistoryLimits = HistoryLimits(), now: @escaping @Sendable () -> Date = { .noted }
  ) throws -> (repository: any TodoRepository, folder: TemporaryFolder?) {
    switch self {
    case .plain: return (PlainTodoRepository(limits: limits, now: now), nil)
    case .croft:
      let folder = TemporaryFolder()
      let path = folder.path(to: "todo.croft")
      return (try CroftTodoRepository(path: path, limits: limits, now: now), folder)
    }
  }
}
