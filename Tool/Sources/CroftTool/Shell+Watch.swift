import Croft
import Foundation
import Synchronization

extension Shell {
  /// Writes the result of a query, and then what each commit changes of it, until ^C.
  ///
  /// - Throws: `QueryTextError`; `StoreError`; what writing throws.
  func watch(_ text: String) throws {
    let query = try DynamicQuery(text)
    let store = try file.reading()
    let names = try store.read { try $0.names(of: query) }
    let model = try store.models.first { $0.name == query.model }
    let keys = (model?.properties ?? []).filter(\.isPrimaryKey).map {
      names.firstIndex(of: $0.name)
    }
    // A part of a key does not tell objects apart.
    let differences = RowDifferences(keys: keys.contains(nil) ? [] : keys.compactMap(\.self))
    // An array that never ends is none that a program could read.
    let isJSON = format == .json || format == .ndjson
    var writer = RowWriter(
      isJSON ? .ndjson : format, [format == .table ? " " : "change"] + names, to: streams)
    func add(_ change: RowDifferences.Change?, _ row: [StoredValue]) throws {
      let sign: StoredValue =
        if isJSON {
          change.map { .string($0.word) } ?? .none
        } else {
          .string(change?.rawValue ?? "")
        }
      try writer.add([sign] + row)
    }
    try streams.whileWaiting { next in
      let results = WatchedResults(streams.noteChange)
      let token = store.observe(
        ReadRequest { tx in try tx.fetch(query).map(\.values) }, on: .background,
        onError: { results.add(.failure($0)) }
      ) { results.add(.success($0)) }
      defer { token.cancel() }
      var shown: [[StoredValue]]?
      repeat {
        for result in results.take() {
          let rows = try result.get()
          if let shown {
            for (change, row) in differences.changes(from: shown, to: rows) {
              try add(change, row)
            }
          } else {
            for row in rows { try add(nil, row) }
            try writer.finish()
          }
          shown = rows
        }
      } while next()
    }
  }
}

/// The results of a watched query that are not written yet.
///
/// Threads: any; the results have a lock.
private final class WatchedResults: Sendable {
  private let waiting = Mutex<[Result<[[StoredValue]], any Error>]>([])
  private let noteChange: @Sendable () -> Void

  init(_ noteChange: @escaping @Sendable () -> Void) { self.noteChange = noteChange }

  func add(_ result: Result<[[StoredValue]], any Error>) {
    waiting.withLock { $0.append(result) }
    noteChange()
  }

  func take() -> [Result<[[StoredValue]], any Error>] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
