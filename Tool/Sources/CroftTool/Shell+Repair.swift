import Croft
import Foundation

extension Shell {
  /// Makes a new file of all that can be read of this one, and tells what is lost.
  ///
  /// Where the journal of this file is lost, or a damaged page forbids to replay it, that is given up in a copy.
  ///
  /// - Throws: ``ShellCommand/Problem`` where something is lost; ``Interrupted``; `StoreError`; and
  ///   what writing throws, after the file is made.
  func repair(to copy: String) throws {
    var lossCount = 0
    var failure: (any Error)?
    // Results that cannot be written do not end the work.
    func tell(_ line: String) {
      if failure != nil { return }
      do { try write(line) } catch { failure = error }
    }
    func tellLoss(_ loss: String) {
      lossCount += 1
      tell("lost: \(loss.escaped())\n")
    }
    let url = URL(filePath: copy)
    let store: Store
    var folder: URL?
    defer {
      streams.showProgress("")
      // What cannot be removed is beside the new file, with a name that tells what it is.
      if let folder { try? FileManager.default.removeItem(at: folder) }
    }
    do {
      store = try file.reading()
    } catch let error as StoreError where error.isOfLostJournal || error.isOfDamage {
      do {
        let draft = try draft(beside: url) { folder = $0 }
        try Store.recover(at: draft, acceptsDamage: true)
        store = try ShellStore(draft.path).reading()
      } catch let other {
        guard error.isOfLostJournal else { throw error }
        throw ShellCommand.Problem(
          reason: "\(error) A copy cannot be read without the journal either: \(other)")
      }
      tellLoss(
        "the commits that only the journal had: "
          + (error.isOfLostJournal
            ? "it is missing or belongs to another state"
            : "it cannot be replayed, because a page is damaged"))
    }
    let count = try store.salvage(
      to: url,
      progress: {
        try checkInterrupt()
        streams.showProgress("\($0) objects")
      }, lost: tellLoss)
    tell("Made \(copy.escaped()) of \(count == 1 ? "1 object" : "\(count) objects").\n")
    if let failure { throw failure }
    if lossCount == 0 { return }
    throw ShellCommand.Problem(
      reason: "not all could be read: "
        + (lossCount == 1 ? "1 line tells" : "\(lossCount) lines tell") + " what is lost")
  }

  /// A copy of the file without its journal, in a new folder beside the file that is made.
  ///
  /// - Parameter made: Gets the folder, also where the copy fails.
  private func draft(beside url: URL, made: (URL) -> Void) throws -> URL {
    let folder = url.deletingLastPathComponent().appending(path: "croft-repair-\(UUID())")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    made(folder)
    let draft = folder.appending(path: "store.croft")
    try FileManager.default.copyItem(at: file.url.resolvingSymlinksInPath(), to: draft)
    return draft
  }
}

extension StoreError {
  fileprivate var isOfDamage: Bool { if case .corrupt = self { true } else { false } }
}
