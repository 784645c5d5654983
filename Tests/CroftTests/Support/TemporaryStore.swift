import Croft
import Foundation
import Synchronization
import Testing

/// A store's file in a folder of its own, which is checked and removed when the test is done.
///
/// What failed can be looked at: when an error left the test, an expectation failed (in a suite
/// with the trait `keepsFailedStores`), or the store does not verify, the folder stays and its
/// path is printed.
final class TemporaryStore: Sendable {
  @TaskLocal fileprivate static var current: TemporaryStore?

  let folder: URL
  private let models: [any Model.Type]
  private let options: Store.Options
  fileprivate let hasFailed = Atomic(false)

  /// The store's file.
  var url: URL { folder.appending(path: "store.croft") }

  /// The names of the files in the folder.
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  fileprivate init(_ models: [any Model.Type], _ options: Store.Options) throws {
    self.models = models
    self.options = options
    folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  /// Opens the store with the test's models; it closes when the last reference goes.
  func open() throws -> Store {
    try .open(at: url, models: models, options: options)
  }

  /// Opens the store once more and checks every row against every index.
  fileprivate func check() throws {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    let verification = try open().verify()
    #expect(verification.problems == [])
    if !verification.isSound { hasFailed.store(true, ordering: .relaxed) }
  }

  fileprivate func leave() throws {
    if hasFailed.load(ordering: .relaxed) {
      print("The store of a failed test is kept in \(folder.path)")
    } else {
      try FileManager.default.removeItem(at: folder)
    }
  }
}

/// Passes a folder for a store to a test, and checks what the test leaves in it.
///
/// - Parameter checksAtEnd: false for tests that leave something else than their models' store.
func withTemporaryStore(
  of models: any Model.Type..., options: Store.Options = .forTests, checksAtEnd: Bool = true,
  _ body: (TemporaryStore) throws -> Void
) throws {
  let temporary = try TemporaryStore(models, options)
  do {
    try TemporaryStore.$current.withValue(temporary) {
      try body(temporary)
      if checksAtEnd { try temporary.check() }
    }
  } catch {
    temporary.hasFailed.store(true, ordering: .relaxed)
    try temporary.leave()
    throw error
  }
  try temporary.leave()
}

/// Passes a folder for a store to an asynchronous test, and checks what the test leaves in it.
func withTemporaryStore(
  of models: [any Model.Type], options: Store.Options = .forTests,
  _ body: (TemporaryStore) async throws -> Void
) async throws {
  let temporary = try TemporaryStore(models, options)
  do {
    try await TemporaryStore.$current.withValue(temporary) {
      try await body(temporary)
      try temporary.check()
    }
  } catch {
    temporary.hasFailed.store(true, ordering: .relaxed)
    try temporary.leave()
    throw error
  }
  try temporary.leave()
}

/// Passes an open store in a folder of its own to a test, and checks what the test leaves in it.
///
/// Of a shared store, which another one might observe, commits are logged.
func withStore(
  of models: any Model.Type..., options: Store.Options = .forTests, isShared: Bool = false,
  _ body: (Store) throws -> Void
) throws {
  let temporary = try TemporaryStore(models, options)
  do {
    try TemporaryStore.$current.withValue(temporary) {
      let other = isShared ? try temporary.open() : nil
      try withExtendedLifetime(other) { try body(try temporary.open()) }
      try temporary.check()
    }
  } catch {
    temporary.hasFailed.store(true, ordering: .relaxed)
    try temporary.leave()
    throw error
  }
  try temporary.leave()
}

/// Passes an open store to an asynchronous test, and checks what the test leaves in it.
func withStore(
  of models: any Model.Type..., options: Store.Options = .forTests,
  _ body: (Store) async throws -> Void
) async throws {
  try await withTemporaryStore(of: models, options: options) { try await body(try $0.open()) }
}

extension Store.Options {
  /// A small map and no waiting for the disk: tests need not survive a power cut.
  static var forTests: Self { forTests() }

  /// The options for tests, changed.
  static func forTests(_ change: (inout Self) -> Void = { _ in }) -> Self {
    var options = Self()
    options.durability = .unsafe
    options.mapSizeBytes = 256 << 20
    // A machine that is busy with other tests must not end a wait; a deadlock ends with the run.
    options.writerTimeout = .seconds(3_600)
    change(&options)
    return options
  }
}

extension Trait where Self == IssueHandlingTrait {
  /// Keeps the folders of a suite's stores when an expectation fails.
  static var keepsFailedStores: Self {
    .compactMapIssues { issue in
      TemporaryStore.current?.hasFailed.store(true, ordering: .relaxed)
      return issue
    }
  }
}
