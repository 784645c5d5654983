import Croft
import LMDB
import Synchronization
import Testing

@testable import Croft

/// A sink that keeps all changes of a transaction, as replication does.
final class RecordingSink: ChangeSink {
  enum Event: Sendable {
    /// A row was written or removed; without an old row it was inserted, or not read.
    case change(model: Int, key: [UInt8], old: [UInt8]?, new: [UInt8]?)
    case removalOfAll(model: Int)
  }

  private let detail: ChangeDetail
  private(set) var events: [Event] = []
  private var marks: [Int] = []
  private let committed: ([Event]) -> Void

  init(_ detail: ChangeDetail, committed: @escaping ([Event]) -> Void = { _ in }) {
    (self.detail, self.committed) = (detail, committed)
  }

  func detail(of table: Table) -> ChangeDetail { detail }

  func take(
    _ key: UnsafeRawBufferPointer, old: RecordView?, new: RecordView?, of table: Table
  ) {
    events.append(
      .change(
        model: table.id, key: unsafe [UInt8](key), old: old.map { unsafe [UInt8]($0.rowBytes) },
        new: new.map { unsafe [UInt8]($0.rowBytes) }))
  }

  func takeRemovalOfAll(of table: Table) {
    #expect(detail < .rows, "A sink of rows gets each of them.")
    events.append(.removalOfAll(model: table.id))
  }

  func beginSavepoint() { marks.append(events.count) }

  func releaseSavepoint() { marks.removeLast() }

  func rollBackToSavepoint() { events.removeLast(events.count - marks.removeLast()) }

  func finish(_ sequence: UInt64, in transaction: inout LMDB.WriteTransaction) { committed(events) }

  /// The rows after the changes of this transaction.
  func replayed(on rows: RowDump) -> RowDump { events.replayed(on: rows, detail) }
}

extension [RecordingSink.Event] {
  /// The rows after these changes; where old rows are told, they must be the ones that there are.
  func replayed(on rows: RowDump, _ detail: ChangeDetail) -> RowDump {
    var rows = rows
    for event in self {
      switch event {
      case .change(let model, let key, let old, let new):
        if detail == .rows { #expect(old == rows[model]?[key]) }
        rows[model, default: [:]][key] = new
      case .removalOfAll(let model): rows[model] = [:]
      }
    }
    return rows
  }
}
