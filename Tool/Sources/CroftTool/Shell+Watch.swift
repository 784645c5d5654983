import Croft
import Foundation
import Synchronization

extension Shell {
  /// Writes the result of a query, and then what each commit changes of it, until ^C.
  ///
  /// - Throws: ``ShellCommand/Problem``; `QueryTextError`; `StoreError`; what writing throws.
  func watch(_ text: String) throws {
    let query = try self.query(text)
    let store = try file.reading()
    if store.isPrivate {
      throw ShellCommand.Problem(
        reason: "the journal of the file must be replayed, and the file cannot be written to: a "
          + "copy is read, which no commit changes; open the file for writing first")
    }
    let names = try store.read { try $0.names(of: query) }
    let model = try store.models.first { $0.name == query.model }
    let keys = (model?.properties ?? []).filter(\.isPrimaryKey).map {
      names.firstIndex(of: $0.name)
    }
    // A part of a key does not tell objects apart.
    let differences = RowDifferences(keys: keys.contains(nil) ? [] : keys.compactMap(\.self))
    // An array that never ends is none that a program could read.
    let isJSON = format == .json || format == .ndjson
    let shownNames = [format == .table ? " " : "change"] + names
    try format.check(shownNames)
    var writer = RowWriter(isJSON ? .ndjson : format, shownNames, to: streams)
    func add(_ change: RowDifferences.Change?, _ row: [StoredValue]) throws {
      try checkInterrupt()
      let sign: StoredValue =
        if isJSON {
          change.map { .string($0.word) } ?? .none
        } else {
          .string(change?.rawValue ?? "")
        }
      try writer.add([sign] + row)
    }
    try streams.whileWaiting { next in
      let results = WatchedResult(streams.noteChange)
      let token = store.observe(
        ReadRequest { tx in try tx.fetch(query).map(\.values) }, on: .background,
        onError: { results.set(.failure($0)) }
      ) { results.set(.success($0)) }
      defer { token.cancel() }
      var shown: [[StoredValue]]?
      do {
        repeat {
          guard let rows = try results.take()?.get() else { continue }
          if let shown {
            for (change, row) in differences.changes(from: shown, to: rows) {
              try add(change, row)
            }
          } else {
            for row in rows { try add(nil, row) }
            try writer.finish()
          }
          shown = rows
        } while next()
      } catch is Interrupted {
        // The signal is still there, and ends the waiting.
        while next() {}
      }
    }
  }
}

/// The last result of a watched query, as long as it is not written.
///
/// Threads: any; the result has a lock.
private final class WatchedResult: Sendable {
  private let waiting = Mutex<Result<[[StoredValue]], any Error>?>(nil)
  private let noteChange: @Sendable () -> Void

  init(_ noteChange: @escaping @Sendable () -> Void) { self.noteChange = noteChange }

  /// Replaces the result, so that one is in memory, however slow the reader is; an error stays.
  func set(_ result: Result<[[StoredValue]], any Error>) {
    waiting.withLock { waiting in
      if case .failure = waiting { return }
      waiting = result
    }
    noteChange()
  }

  func take() -> Result<[[StoredValue]], any Error>? {
    waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
  }
}
