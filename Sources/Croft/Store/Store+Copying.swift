internal import Dispatch
import LMDB

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Store {
  /// Copies the last commit to another file, while readers and writers go on.
  ///
  /// The copy is a store of its own, on the disk when this returns; until then there is no file of
  /// that name.
  ///
  /// - Parameters:
  ///   - url: The new file; its folder must exist.
  ///   - replacesExisting: Whether a store of that name is replaced, which nobody may have open.
  /// - Throws: ``StoreError/cannotWrite(path:reason:)``; ``StoreError/busy(reason:)`` when a
  ///   writer was at work for longer than `writerTimeout`, or the store to be replaced is open;
  ///   ``StoreError/nestedWrite``. What was there is then as it was.
  /// - Complexity: O(bytes of the file).
  public func backup(to url: URL, replacesExisting: Bool = false) throws {
    try copy(to: url, isCompacting: false, replacesExisting: replacesExisting)
  }

  /// Copies the last commit to another file without free pages, while readers and writers go on.
  ///
  /// The smallest file of the same content, with its pages in order; it is read through before it
  /// gets its name. Otherwise as ``backup(to:replacesExisting:)-(URL,_)``, and slower.
  ///
  /// - Parameters:
  ///   - url: The new file; its folder must exist.
  ///   - replacesExisting: Whether a store of that name is replaced, which nobody may have open.
  /// - Throws: As a backup.
  /// - Complexity: O(bytes of the file).
  public func compact(to url: URL, replacesExisting: Bool = false) throws {
    try copy(to: url, isCompacting: true, replacesExisting: replacesExisting)
  }

  /// Copies the last commit to another file, off the caller's thread.
  ///
  /// - Parameters:
  ///   - url: The new file; its folder must exist.
  ///   - replacesExisting: Whether a store of that name is replaced.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func backup(to url: URL, replacesExisting: Bool = false) async throws {
    try await run(on: .global()) { _ in
      try self.copy(to: url, isCompacting: false, replacesExisting: replacesExisting)
    }
  }

  /// Copies the last commit to another file without free pages, off the caller's thread.
  ///
  /// - Parameters:
  ///   - url: The new file; its folder must exist.
  ///   - replacesExisting: Whether a store of that name is replaced.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func compact(to url: URL, replacesExisting: Bool = false) async throws {
    try await run(on: .global()) { _ in
      try self.copy(to: url, isCompacting: true, replacesExisting: replacesExisting)
    }
  }

  private func copy(to url: URL, isCompacting: Bool, replacesExisting: Bool) throws {
    precondition(url.isFileURL, "A copy is a file: make its URL with URL(filePath:).")
    do {
      try environment.copy(
        to: url.path, isCompacting: isCompacting, replacesExisting: replacesExisting)
    } catch {
      throw StoreError(error, copyingTo: url.path)
    }
  }

  /// Puts a compacted copy in the place of a store that nobody has open.
  ///
  /// Free pages go back to the system, and the others are put in order. The copy is compared with
  /// the original, row by row, before it takes its place; there must be room for both. Whoever
  /// opens the store meanwhile waits, so that no commit is lost.
  ///
  /// - Parameters:
  ///   - url: The store's file.
  ///   - options: How the store is opened at other times.
  /// - Throws: ``StoreError/busy(reason:)`` when this process or another one has the store open;
  ///   ``StoreError/cannotWrite(path:reason:)``; the file is as it was then.
  /// - Complexity: O(bytes of the file).
  public static func compact(at url: URL, options: Options = Options()) throws {
    precondition(url.isFileURL, "A store is a file: make its URL with URL(filePath:).")
    do {
      try Environment.compact(at: url.path, options: .init(options))
    } catch {
      throw StoreError(error, copyingTo: url.path)
    }
  }
}
