import LMDB

/// A commit in the log of a file, which observers of other programs read.
public struct LoggedCommit: Sendable, Hashable {
  /// What a commit changed of one model.
  public struct Change: Sendable, Hashable {
    /// The model's name; nil for one that the file does not have any more.
    public let model: String?
    /// The primary keys of the objects as texts; nil where any object may have changed.
    public let keys: [String]?
  }

  /// The commit's number.
  public let sequence: UInt64
  /// The changes by model; nil where the record cannot be read.
  public let changes: [Change]?
}

extension ReadTransaction {
  /// The number of the last commit; it counts those that changed something.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the header is damaged.
  public func lastCommit() throws -> UInt64 {
    do { return try StoreHeader(in: catalog.meta, base, path: "").sequence } catch {
      throw failing(error)
    }
  }

  /// The newest commits of the file's log, the oldest of them first.
  ///
  /// A commit is logged while another program, or another store of the file, has it open, and a later commit deletes
  /// the oldest ones. The log has no times, and not who committed.
  ///
  /// - Parameter limit: The most commits, 0 or more.
  /// - Returns: The commits; none where the file has no log.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for a damaged page.
  /// - Complexity: O(records that are returned).
  public func loggedCommits(limit: Int = 100) throws -> [LoggedCommit] {
    precondition(limit >= 0, "The number of commits is negative: pass 0 or more.")
    do {
      guard let log = try CommitLog(in: base) else { return [] }
      let schemas = try storedModels().schemas
      return try log.newest(limit, in: base).map { sequence, record in
        LoggedCommit(
          sequence: sequence,
          changes: record?.models.map { change in
            let schema = schemas[change.model]
            return LoggedCommit.Change(
              model: schema?.name,
              keys: change.keys.isEmpty ? nil : schema.map { $0.described(change.keys) })
          })
      }
    } catch { throw failing(error) }
  }
}

extension Schema {
  /// Primary keys as texts.
  fileprivate func described(_ keys: [[UInt8]]) -> [String] {
    // Safety: each key is described while it is borrowed.
    keys.map { key in unsafe key.withUnsafeBytes { unsafe describe(key: $0) } }
  }
}
