import Foundation
import Testing
import Croft
import TodoKit

/// What other programs do to the file of the list while it is used.
@Suite struct StoreFileTests {
  /// An empty file was taken for a new list, and nothing said so.
  @Test func anEmptyFileIsTold() throws {
    let todo = try TodoProcess()
    let path = try #require(todo.environment["TODO_DB"])
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let listed = try todo.run(["add", "milk", "!h"])
    #expect(listed.status == 0)
    #expect(listed.messages.contains("\(path) was an empty file, so a new list begins in it."))
    #expect(try todo.run(["ls"]).messages == "")
    let other = try TodoProcess()
    #expect(try other.run(["add", "milk", "!h"]).messages == "", "a file that did not exist")
  }

  /// A program that was stopped in a write made others wait for ever, without a word.
  @Test func aWriteSaysForWhomItWaitsAndGivesUp() throws {
    let todo = try TodoProcess()
    let path = try #require(todo.environment["TODO_DB"])
    _ = try todo.run(["add", "milk", "!h"])
    let store = try Store.open(at: URL(filePath: path), models: TodoItem.self)
    let waited = try store.write { _ in try todo.run(["--lang", "ko", "add", "bread", "!h"]) }
    let process = ProcessInfo.processInfo.processIdentifier
    #expect(waited.status == 1)
    #expect(waited.messages.hasPrefix("기다리는 중입니다: process \(process)"), "\(waited.messages)")
    #expect(waited.messages.contains("is writing to \(path)"))
    #expect(try todo.run(["-o", "csv", "ls"]).output.split(separator: "\n").count == 2)
  }
}
