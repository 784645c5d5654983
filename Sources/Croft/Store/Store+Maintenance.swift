public import CroftFoundation
import LMDB

extension Store {
  /// Deletes all objects of all models of the store, in one commit.
  ///
  /// These are the models that the store was opened with, and those that refer to them. Delete rules
  /// are not applied: no object is left that could refer to another. Live queries become empty.
  ///
  /// The file keeps its size, and uses the room again; ``compact(at:options:)`` makes it smaller.
  ///
  /// - Throws: ``StoreError/busy(reason:)``, ``StoreError/readOnly``, ``StoreError/nestedWrite``, and
  ///   errors of the engine; then nothing is deleted.
  /// - Complexity: O(pages); O(objects) while they are observed.
  public func erase() throws { try write { try $0.eraseAll() } }

  /// Copies the last commit to another file, while readers and writers continue.
  ///
  /// The copy is a store of its own, on the disk when this returns; until then there is no file of
  /// that name.
  ///
  /// - Parameters:
  ///   - url: The new file; its folder must exist.
  ///   - replacesExisting: Whether a store of that name is replaced, which no process may have
  ///     open.
  /// - Throws: ``StoreError/cannotWrite(path:reason:)``; ``StoreError/busy(reason:)`` when a
  ///   writer was at work for longer than `writerTimeout`, or the store to be replaced is open;
  ///   ``StoreError/nestedWrite``. An existing file is unchanged then.
  /// - Complexity: O(bytes of the file).
  public func backup(to url: URL, replacesExisting: Bool = false) throws {
    try copy(to: url, isCompacting: false, replacesExisting: replacesExisting)
  }

  /// Copies the last commit to another file, and tells how far the copy is.
  ///
  /// - Parameters:
  ///   - url: The new file; its folder must exist.
  ///   - replacesExisting: Whether a store of that name is replaced, which no process may have open.
  ///   - progress: Called about once for each megabyte, on the calling thread; an error that it throws ends the
  ///     copy, and there is no new file then.
  /// - Throws: As without the closure, and what the closure throws.
  /// - Complexity: O(bytes of the file).
  public func backup(
    to url: URL, replacesExisting: Bool = false, progress: (CopyProgress) throws -> Void
  ) throws {
    try copy(
      to: url, isCompacting: false, replacesExisting: replacesExisting, progress: progress)
  }

  /// Copies the last commit to another file without free pages, and tells how far the copy is.
  ///
  /// - Parameters:
  ///   - url: The new file; its folder must exist.
  ///   - replacesExisting: Whether a store of that name is replaced, which no process may have open.
  ///   - progress: Called before the pages are written, which is done in one piece, and after that; an error that it
  ///     throws ends the copy, and there is no new file then.
  /// - Throws: As without the closure, and what the closure throws.
  /// - Complexity: O(bytes of the file).
  public func compact(
    to url: URL, replacesExisting: Bool = false, progress: (CopyProgress) throws -> Void
  ) throws {
    try copy(to: url, isCompacting: true, replacesExisting: replacesExisting, progress: progress)
  }

  /// Copies the last commit to another file without free pages, while readers and writers continue.
  ///
  /// The file is the smallest one with the same content, and has its pages in order; it is verified
  /// before it gets its name. Otherwise it works as `backup(to:replacesExisting:)`, but slower.
  ///
  /// - Throws: As a backup.
  /// - Complexity: O(bytes of the file).
  public func compact(to url: URL, replacesExisting: Bool = false) throws {
    try copy(to: url, isCompacting: true, replacesExisting: replacesExisting)
  }

  /// Copies the last commit to another file, off the caller's thread.
  ///
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func backup(to url: URL, replacesExisting: Bool = false) async throws {
    try await run { _ in try self.backup(to: url, replacesExisting: replacesExisting) }
  }

  /// Copies the last commit to another file without free pages, off the caller's thread.
  ///
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func compact(to url: URL, replacesExisting: Bool = false) async throws {
    try await run { _ in try self.compact(to: url, replacesExisting: replacesExisting) }
  }

  private func copy(
    to url: URL, isCompacting: Bool, replacesExisting: Bool,
    progress: (CopyProgress) throws -> Void = { _ in }
  ) throws {
    precondition(url.isFileURL, "A copy is a file: make its URL with URL(filePath:).")
    try CallbackError.unwrapping {
      do {
        try environment.copy(
          to: url.path, isCompacting: isCompacting, replacesExisting: replacesExisting
        ) { copied, all in
          do { try progress(CopyProgress(bytesCopied: copied, bytes: all)) } catch {
            throw CallbackError(underlying: error)
          }
        }
      } catch let error as LMDBError {
        throw StoreError(error, copyingTo: url.path)
      }
    }
  }

  /// Makes a store usable that was not closed and whose journal is lost.
  ///
  /// Opening such a store throws. If the journal is beside the file after all, it is replayed, as opening does.
  /// Else the file's own last commit is taken, once all its pages were checked; later commits, which only the
  /// journal had, are given up. Open the store afterwards, and call `verify(keepingProblems:)`. A store that was
  /// closed, or has no journal, is left as it is.
  ///
  /// - Parameters:
  ///   - url: The store's file. Make a copy of it first.
  ///   - options: How the store is opened at other times.
  ///   - acceptsDamage: Whether to give up what only the journal had also where a page is damaged, so that
  ///     the journal cannot be replayed. The store can then be read as far as it is sound, as `salvage` does,
  ///     and not written to.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where a page is damaged and that is not accepted:
  ///   restore a backup then. ``StoreError/busy(reason:)`` when this process or another one has the store open, and
  ///   ``StoreError/cannotOpen(path:reason:)``. The file is unchanged.
  /// - Complexity: O(pages).
  public static func recover(
    at url: URL, options: Options = Options(), acceptsDamage: Bool = false
  ) throws {
    precondition(url.isFileURL, "A store is a file: make its URL with URL(filePath:).")
    do {
      try Environment.recover(
        at: url.path, options: Environment.Options(options), acceptsDamage: acceptsDamage)
    } catch {
      throw StoreError(error, opening: url.path)
    }
  }

  /// Replaces a store that is not open anywhere by a compacted copy.
  ///
  /// Free pages go back to the system, and the others are put in order. The copy is compared with
  /// the original, row by row, before it replaces it; there must be room for both. A
  /// process that opens the store meanwhile waits, so that no commit is lost.
  ///
  /// - Parameters:
  ///   - url: The store's file.
  ///   - options: How the store is opened at other times.
  /// - Throws: ``StoreError/busy(reason:)`` when this process or another one has the store open;
  ///   ``StoreError/notACroftFile(path:reason:)`` and ``StoreError/newerFormat(path:version:)`` for a
  ///   file that is not a store of this version; ``StoreError/cannotWrite(path:reason:)``. The file
  ///   is unchanged then.
  /// - Complexity: O(bytes of the file).
  public static func compact(at url: URL, options: Options = Options()) throws {
    precondition(url.isFileURL, "A store is a file: make its URL with URL(filePath:).")
    do {
      try compact(url.path, options) { _ in true }
    } catch let error as LMDBError {
      throw StoreError(error, copyingTo: url.path)
    }
  }

  /// Rebuilds indexes from the rows, for a store whose indexes are damaged.
  ///
  /// ``Verification/isMendedByRebuildingIndexes`` tells whether this repairs all problems that
  /// `verify(keepingProblems:)` found. Each index is built beside the old one, some
  /// hundred thousand rows at a time, each time in a transaction of its own: others read and write
  /// in between, here and in other processes. Queries do not use the old index meanwhile; delete
  /// rules and unique values are checked by it until the new one replaces it. A rebuild that an error
  /// or a kill interrupts continues where it stopped with the next call or the next opening of the
  /// store; an opening that cannot continue it opens the store all the same.
  ///
  /// Threads: any; not inside a write.
  ///
  /// - Parameters:
  ///   - models: The models; none for all that the store was opened with, and those that refer to
  ///     them.
  ///   - progress: Called after each transaction, on the calling thread.
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)`` naming two objects with
  ///   the same values in a unique index, which is unchanged then; change one of them, and call this
  ///   again. ``StoreError/corrupt(model:key:reason:)`` where a row cannot be read,
  ///   ``StoreError/unknownModel(model:)``, and what a write throws.
  /// - Complexity: O(*n* log *n*) for *n* rows, for each index.
  public func rebuildIndexes(
    of models: any Model.Type..., progress: (IndexRebuildProgress) -> Void = { _ in }
  ) throws {
    try rebuild(models.map { $0.schema }, progress) {}
  }

  /// Rebuilds indexes from the rows, off the caller's thread.
  ///
  /// - Parameters:
  ///   - models: The models; none for all that the store was opened with.
  ///   - progress: Called after each transaction, on a thread of the system's pool.
  /// - Throws: As the synchronous form, and `CancellationError` when the task is cancelled, after
  ///   the current transaction; the next call or opening continues.
  public func rebuildIndexes(
    of models: any Model.Type...,
    progress: @escaping @Sendable (IndexRebuildProgress) -> Void = { _ in }
  ) async throws {
    let schemas = models.map { $0.schema }
    try await run { cancellation in
      try self.rebuild(schemas, progress) { try cancellation.check() }
    }
  }

  private func rebuild(
    _ schemas: [Schema], _ progress: (IndexRebuildProgress) -> Void, _ check: () throws -> Void
  ) throws {
    try StoreError.mapping {
      let builder = IndexBuilder(update: schemaUpdate)
      var catalog = try requestRebuild(of: schemas, builder)
      let total = catalog.waiting
      while let (model, index) = catalog.firstBuilding ?? catalog.firstAwaitingRebuild {
        try check()
        do {
          catalog = try step { try schemaUpdate.advance(&$0) }
        } catch let clash as IndexBuilder.IndexClash {
          catalog = try step { transaction in
            try builder.abandon(clash, &transaction)
            return try schemaUpdate.apply(to: &transaction).0
          }
          if clash.replaced != nil { throw clash.reason }
          continue
        }
        progress(
          IndexRebuildProgress(
            model: model.schema.name,
            properties: index.names,
            entries: try entries(of: index, model, catalog), done: total - catalog.waiting,
            total: total))
      }
    }
  }

  private func requestRebuild(of schemas: [Schema], _ builder: IndexBuilder) throws -> Catalog {
    do {
      return try step { try builder.requestRebuild(of: schemas, &$0) }
    } catch let clash as IndexBuilder.IndexClash {
      try abandon(clash)
      return try requestRebuild(of: schemas, builder)
    }
  }

  private func step(
    _ body: (inout LMDB.WriteTransaction) throws -> Catalog
  ) throws -> Catalog {
    let catalog = try environment.write(body)
    publish(catalog)
    return catalog
  }

  /// The number of entries of the newest index over an index's columns.
  private func entries(
    of index: any TableIndex, _ model: Table, _ catalog: Catalog
  ) throws -> Int {
    let indexes = catalog.all.first { $0.id == model.id }?.indexes ?? []
    let newest = indexes.last { $0.status.definition == index.status.definition }
    guard let newest else { return 0 }
    return try environment.read { try newest.statistics(in: $0).entries }
  }
}

extension Catalog {
  /// How many indexes have yet to be built.
  fileprivate var waiting: Int {
    all.reduce(0) { sum, model in
      let awaiting = model.indexes.count { $0.status.awaitsRebuild }
      return sum + awaiting + model.indexes.count { $0.isBuilding && $0.status.replaces == nil }
    }
  }
}
