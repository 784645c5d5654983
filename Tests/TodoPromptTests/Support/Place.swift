import Foundation
import TestSupport
import Testing
import TodoFormats
import TodoKit

@testable import TodoPrompt

/// A program on one store, with files beside it.
struct Place {
  let folder = TemporaryFolder()
  private(set) var repository: CroftTodoRepository
  let terminal: TestTerminal

  /// - Parameter now: The clock of the store.
  init(zone: String = "GMT", now: @escaping @Sendable () -> Date = { .now }) throws {
    let repository = try CroftTodoRepository(path: folder.path(to: "todo.croft"), now: now)
    self.repository = repository
    terminal = try TestTerminal(repository: repository, zone: zone)
  }

  /// The same store where clocks show something else.
  init(_ other: Place, zone: String) throws {
    repository = other.repository
    terminal = try TestTerminal(repository: other.repository, zone: zone)
  }

  func importText(_ text: String, as format: TaskFormat) throws -> String {
    let path = folder.path(to: "file")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let run = terminal.run(["import", path, "--format", format.name])
    #expect(run.status == .done, "\(run.messages)")
    return run.output
  }

  func export(_ format: TaskFormat) -> String {
    terminal.run(["export", "--format", format.name]).output
  }

  func records(_ text: String, _ format: TaskFormat) -> Set<TaskRecord> {
    let options = FormatOptions(
      timeZone: .gmt, fileName: folder.path(to: "file"), now: TestTerminal.clock.now())
    let file = format.read(Data(text.utf8), options)
    #expect(file.errors.isEmpty, "\(file.errors)")
    return Set(file.records)
  }
}
