import Croft
import Foundation

extension Shell {
  /// Makes a new file of all that can be read of this one, and tells what is lost.
  ///
  /// This file is not written to: where its journal is lost, that is given up in a copy.
  ///
  /// - Throws: ``ShellCommand/Problem`` where something is lost; `StoreError`; what writing throws.
  func repair(to copy: String) throws {
    var lossCount = 0
    func tell(_ loss: String) throws {
      lossCount += 1
      try write("lost: \(loss.escaped())\n")
    }
    let url = URL(filePath: copy)
    let store: Store
    var folder: URL?
    defer {
      streams.showProgress("")
      // What cannot be removed is beside the new file, with a name that tells what it is.
      if let folder { try? FileManager.default.removeItem(at: folder) }
    }
    do { store = try file.reading() } catch StoreError.cannotOpen(let path, let reason) {
      do {
        let draft = try draft(beside: url)
        folder = draft.deletingLastPathComponent()
        try Store.recover(at: draft)
        store = try ShellStore(draft.path).reading()
      } catch {
        throw StoreError.cannotOpen(path: path, reason: reason)
      }
      try tell("the commits that only the journal had: it is missing or belongs to another state")
    }
    let count = try store.salvage(
      to: url, progress: { streams.showProgress("\($0) objects") }, lost: tell)
    try write("Made \(copy.escaped()) of \(count == 1 ? "1 object" : "\(count) objects").\n")
    if lossCount == 0 { return }
    throw ShellCommand.Problem(
      reason: "not all could be read: "
        + (lossCount == 1 ? "1 line tells" : "\(lossCount) lines tell") + " what is lost")
  }

  /// A copy of the file without its journal, in a new folder beside the file that is made.
  private func draft(beside url: URL) throws -> URL {
    let folder = url.deletingLastPathComponent().appending(path: "croft-repair-\(UUID())")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let draft = folder.appending(path: "store.croft")
    try FileManager.default.copyItem(at: file.url.resolvingSymlinksInPath(), to: draft)
    return draft
  }
}
