import Croft
import Foundation

/// The file of a run, which is open for reading until something is changed.
///
/// An opening for writing may change the file, for example its catalog and its journal; somebody who
/// only asks changes nothing.
final class ShellStore {
  let url: URL
  private var opened: Store?
  private var isOpenForWriting = false

  init(_ file: String) { url = URL(filePath: file) }

  /// Whether there is a file of the name.
  var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

  /// The store for reading, and for writing where that was asked for before.
  func reading() throws -> Store {
    if let opened { return opened }
    var options = Store.Options()
    options.isReadOnly = true
    return try open(options)
  }

  /// The store for writing objects of all its models.
  func writing() throws -> Store {
    if let opened, isOpenForWriting { return opened }
    close()
    var options = Store.Options()
    options.usesStoredModels = true
    let store = try open(options)
    isOpenForWriting = true
    return store
  }

  /// Replaces the file by a copy without free pages.
  ///
  /// - Throws: `StoreError`, also where anybody has the file open, as a transaction of this run has.
  func compact() throws {
    close()
    try Store.compact(at: url)
  }

  private func open(_ options: Store.Options) throws -> Store {
    guard exists else {
      throw StoreError.cannotOpen(
        path: url.relativePath, reason: "there is no such file; croft load makes one of a dump")
    }
    let store = try Store.open(at: url, models: [], options: options)
    opened = store
    return store
  }

  /// Closes the file, because a process opens one with the same options each time.
  private func close() { (opened, isOpenForWriting) = (nil, false) }
}
