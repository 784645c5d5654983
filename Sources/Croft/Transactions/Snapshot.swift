internal import Dispatch
import LMDB

/// A view of a store that stays as it is for as long as it is held.
///
/// ```swift
/// let snapshot = try store.snapshot(named: "report")
/// let total = try snapshot.count(TodoItem.all)
/// ```
/// It reads as the store does, and sees no later commit. The pages that it sees are not used again
/// while it lives, so that the file grows with each write: make one for a task, and let it go
/// afterwards. One that stays longer than ``Store/Options/snapshotWarningAge`` is told to
/// ``Store/onDiagnostic``.
///
/// Threads: any; several may read at once.
public final class Snapshot: ReadableStore {
  /// What the snapshot is for, in warnings and errors.
  public let name: String
  private let base: LMDB.Snapshot
  private let catalog: Catalog
  private let store: Store
  private let number: Int

  init(of store: Store, named name: String) throws {
    self.store = store
    self.name = name
    (base, catalog) = try StoreError.mapping { try Self.begin(store, name) }
    number = store.snapshots.add(named: name, version: base.version)
    store.snapshots.reportOld()
  }

  deinit { store.snapshots.remove(number) }

  private static func begin(
    _ store: Store, _ name: String
  ) throws -> (LMDB.Snapshot, Catalog) {
    let base = try store.environment.snapshot(named: name)
    let transaction = try base.beginRead()
    return (base, try store.catalog(in: transaction, publishes: false).0)
  }

  /// How long the snapshot has been open.
  public var age: Duration { store.snapshots.age(of: number) }

  /// How much of the file cannot be used again because of what the snapshot sees.
  ///
  /// - Returns: The bytes of the pages of its version that later commits have freed.
  /// - Throws: ``StoreError/readersFull(reason:)``, or what keeps the file from being read.
  /// - Complexity: O(rows of the list of free pages).
  public func pinnedBytes() throws -> Int {
    try StoreError.mapping {
      let figures = try store.environment.read { try $0.fileStatistics() }
      return figures.pagesFreed(since: base.version) * figures.pageBytes
    }
  }

  /// Reads within the frozen view.
  ///
  /// Threads: the closure runs on the calling thread.
  public func read<R>(_ body: (inout ReadTransaction) throws -> R) throws -> R {
    store.snapshots.reportOld()
    var transaction = try StoreError.mapping { ReadTransaction(try base.beginRead(), catalog) }
    return try body(&transaction)
  }

  /// Reads within the frozen view, off the caller's thread.
  ///
  /// Threads: never blocks a cooperative thread.
  public func read<R: Sendable>(
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> R
  ) async throws -> R {
    try await store.run(on: .global()) { isCancelled in
      try self.read { transaction in
        try isCancelled.check()
        return try body(&transaction)
      }
    }
  }
}

extension Store {
  /// A view of the store that stays as it is for as long as it is held.
  ///
  /// - Parameter name: What it is for; warnings and errors name it.
  /// - Returns: The view of the last commit.
  /// - Throws: ``StoreError/readersFull(reason:)``, or what keeps the file from being read.
  public func snapshot(named name: String = "snapshot") throws -> Snapshot {
    try Snapshot(of: self, named: name)
  }
}
