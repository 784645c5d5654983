extension Store {
  /// Changes the store, without telling chosen observers of these changes.
  ///
  /// Who shows a result and has just changed it on the screen by itself names its token: what it
  /// is told next is against what it then shows. Other commits are told as ever, whether they come
  /// before or after. An observer that waits for its first change is told of all.
  ///
  /// ```swift
  /// list.move(item, to: place)                               // on the screen
  /// _ = try store.write(skipping: [token]) { tx in
  ///   try tx.update(TodoItem.self, item.id) { $0.place = place }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - tokens: The observers that need not hear; call it on the queue that they are called on.
  ///   - body: What to change; see ``write(_:)``.
  /// - Returns: What the closure returns.
  /// - Throws: As ``write(_:)``.
  /// - Precondition: The tokens observe this store, not another one of the same file.
  public func write<R>(
    skipping tokens: [ObservationToken], _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    let skipped = ObservationToken.numbers(of: tokens, in: self)
    return try write { transaction in
      transaction.beginPart(skipping: skipped)
      return try body(&transaction)
    }
  }

  /// Changes the store off the caller's thread, without telling chosen observers of these changes.
  ///
  /// - Parameters:
  ///   - tokens: The observers that need not hear.
  ///   - body: What to change.
  /// - Returns: What the closure returns.
  /// - Throws: As the asynchronous write without tokens.
  /// - Precondition: The tokens observe this store, not another one of the same file.
  public func write<R: Sendable>(
    skipping tokens: [ObservationToken],
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> R
  ) async throws -> R {
    let skipped = ObservationToken.numbers(of: tokens, in: self)
    return try await write { transaction in
      transaction.beginPart(skipping: skipped)
      defer { transaction.beginPart(skipping: []) }
      return try body(&transaction)
    }
  }
}

extension WriteTransaction {
  /// What comes now is not for some observers.
  fileprivate mutating func beginPart(skipping observers: Set<Int>) {
    capture?.beginPart(skipping: observers)
  }
}
