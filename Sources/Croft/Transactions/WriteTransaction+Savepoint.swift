import LMDB

extension WriteTransaction {
  /// Runs a part of the transaction that can be rolled back alone.
  ///
  /// ```swift
  /// try store.write { tx in
  ///   try tx.insert(song)
  ///   do {
  ///     try tx.savepoint { tx in
  ///       try tx.delete(Song.where { $0.genre == .rock })
  ///       try tx.insert(contentsOf: covers)
  ///     }
  ///   } catch StoreError.duplicateKey {
  ///     try tx.update(Song.self, song.id) { $0.note = "without covers" }
  ///   }
  /// }
  /// ```
  /// When the closure throws, all changes since the savepoint are rolled back, whatever failed, and
  /// the transaction stays usable. When it returns, its changes are the transaction's, and
  /// are committed or undone with it. Savepoints nest to any depth.
  ///
  /// - Parameter body: The part; inside it, use the transaction that it receives.
  /// - Throws: What the closure throws; ``StoreError/transactionFailed(reason:)``, or the failure
  ///   itself where that is retryable, when the closure swallowed a failure of the engine.
  /// - Complexity: O(1) to begin, beside pages of the transaction, which are copied when they
  ///   are first changed inside.
  @discardableResult
  public mutating func savepoint<R>(
    _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    if let failure { throw StoreError.transactionFailed(reason: "\(failure)") }
    // The engine's inner transaction takes the place of the outer one while the closure runs.
    var resting = try StoreError.mapping { try base.beginNested() }
    let hadChanges = hasChanges
    context.beginSavepoint()
    swap(&base, &resting)
    var outcome = Result { try body(&self) }
    swap(&base, &resting)
    // What broke the inner transaction does not break the outer one.
    if let failure = failure.take() {
      undoneFailures += 1
      if case .success = outcome { outcome = .failure(failure.afterwards) }
    }
    do {
      let value = try Self.end(resting, outcome)
      context.releaseSavepoint()
      return value
    } catch {
      CoverageMark.hit(.savepointUndone)
      context.rollBackToSavepoint()
      hasChanges = hadChanges
      throw error
    }
  }

  /// Runs a statement about several objects, of which it does all or nothing.
  ///
  /// - Parameter isInner: Whether the caller passes its errors to ``failing(_:)``, which takes those of a closure of
  ///   the program out of what carries them.
  mutating func statement<R>(
    isInner: Bool = false, _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    try savepoint { tx in
      do { return try body(&tx) } catch {
        throw isInner && error is CallbackError ? error : tx.failing(error)
      }
    }
  }

  /// Runs a statement that writes several rows, and looks up at its end what they refer to.
  @usableFromInline
  mutating func writeMany<R>(_ body: (inout WriteTransaction) throws -> R) throws -> R {
    try statement { tx in
      let targets = ForeignKey.PendingTargets()
      tx.context.targets = targets
      defer { tx.context.targets = nil }
      let result = try body(&tx)
      try targets.check(in: &tx.base, tx.context)
      return result
    }
  }

  /// Commits an inner transaction whose closure succeeded; aborts one whose closure did not.
  private static func end<R>(
    _ inner: consuming LMDB.WriteTransaction, _ outcome: Result<R, any Error>
  ) throws -> R {
    switch outcome {
    case .success(let value):
      do throws(LMDBError) { try inner.commit() } catch { throw StoreError(error) }
      return value
    case .failure(let error):
      inner.abort()
      throw error
    }
  }
}

extension StoreError {
  /// The error to throw after a closure has swallowed this one: itself where trying again helps.
  var afterwards: StoreError {
    isRetryable ? self : .transactionFailed(reason: "\(self)")
  }
}
