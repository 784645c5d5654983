import CroftFoundation
import CroftLibc
import LMDB

// What replication needs of a store: models are marked, and changes of others are told from its own.

extension Store {
  /// Where the changes of a transaction come from.
  package enum Origin: Sendable {
    /// The program made them: those of replicated models are stamped and put into the outbox.
    case local
    /// They were received from another replica, whose stamps they have.
    case remote
  }

  /// Changes the store with what was received from others: nothing of it is put into the outbox.
  @discardableResult
  package func writeRemote<R>(_ body: (inout WriteTransaction) throws -> R) throws -> R {
    try StoreError.mapping {
      var transaction = try beginWrite(.remote)
      let result = try body(&transaction)
      try commit(transaction)
      return result
    }
  }

  /// Reads what a replica sends, in one transaction that only reads.
  package func readReplica<R>(_ body: (inout ReadTransaction) throws -> R) throws -> R {
    try StoreError.mapping { try read(body) }
  }

  /// Marks models as replicated, for all programs, and puts their objects into the outbox.
  ///
  /// Models that are marked already are left as they are. From then on whichever program commits puts what it
  /// changes into the outbox, and programs that do not know replication are refused.
  ///
  /// - Parameters:
  ///   - models: The models, all of which the store was opened with.
  ///   - replica: The number of this store in the space, where it has none yet.
  /// - Throws: ``StoreError/invalidModel(model:reason:)`` where one refers to a model that is not replicated,
  ///   or is referred to by one: others could not apply the delete rule.
  /// - Complexity: O(*n*) for *n* objects of the models.
  package func replicate(_ models: [any Model.Type], as replica: UInt16) throws {
    try StoreError.mapping {
      try environment.write { transaction in
        let (catalog, _) = try schemaUpdate.apply(to: &transaction)
        let added = try models.map { try catalog.table(of: $0.schema) }.filter { !$0.isReplicated }
        // Also of models that were replicated before: the program may have others by now.
        let marked = Set(added.map(\.id)).union(catalog.all.filter(\.isReplicated).map(\.id))
        for table in catalog.all {
          for reference in table.references
          where marked.contains(table.id) != marked.contains(reference.target) {
            throw StoreError.invalidModel(
              model: table.schema.name,
              reason: "\(table.layout.names[reference.column]) refers to a model, and only one of "
                + "the two is replicated; replicate both")
          }
        }
        if !added.isEmpty { try schemaUpdate.mark(added, as: replica, &transaction) }
      }
    }
  }

  /// Takes the marks of all replicated models back, and forgets what is known of the space.
  ///
  /// - Parameter erases: Whether the models' objects are deleted too.
  package func leaveReplication(erases: Bool) throws {
    if erases { try writeRemote { try $0.removeReplicatedRows() } }
    try StoreError.mapping {
      try environment.write { transaction in
        var stored = try StoredCatalog(creatingIn: &transaction, path: schemaUpdate.path)
        for entry in stored.entries where entry.isReplicated ?? false {
          var entry = entry
          entry.isReplicated = nil
          stored.replace(entry)
        }
        stored.header.generation += 1
        for name in [Outbox.treeName] + ReplicaTree.allCases.map(\.rawValue) {
          try transaction.empty(try transaction.openDatabase(named: name))
        }
        let key = ReplicaClock.key
        // Safety: the key does not change during the call.
        _ = try unsafe transaction.delete(key.span.bytes, in: stored.meta)
        try stored.write(to: &transaction)
      }
    }
  }

  /// Has the store keep fields that its programs do not declare, or change their values in old objects.
  ///
  /// As with a field of a newer program that has the same store, the values are hidden and kept, and a program
  /// that declares the field finds them.
  ///
  /// - Parameter fields: Fields without references; those that the store has get the value.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where an index has entries of the value that
  ///   old objects have now.
  package func keep(_ fields: [SharedField]) throws {
    try StoreError.mapping {
      try environment.write { transaction in
        var stored = try StoredCatalog(creatingIn: &transaction, path: schemaUpdate.path)
        for field in fields {
          guard var entry = stored.entries.first(where: { $0.id == field.model }),
            let storage = StorageType(text: field.type)
          else { continue }
          let value = field.value.map { Data($0) }
          if let place = entry.fields.firstIndex(where: { $0.name == field.name }) {
            guard !entry.hasEntriesOfOldRows(of: entry.fields[place].id) else {
              throw StoreError.schemaMismatch(
                model: entry.name, field: field.name,
                reason: "the store has another default of it for old objects, and an index with it")
            }
            entry.fields[place].defaultForOldRows = value
          } else {
            entry.fields.append(
              CatalogEntry.Field(
                id: entry.nextField, name: field.name, type: StoredType(storage),
                defaultForOldRows: value, declaredDefault: value))
            entry.nextField += 1
          }
          stored.replace(entry)
        }
        stored.header.generation += 1
        try stored.write(to: &transaction)
      }
    }
  }

  /// The local time in milliseconds, by which changes are stamped.
  package var milliseconds: UInt64 { schemaUpdate.milliseconds() }

  /// How many objects have changes that the server has not acknowledged.
  package func unsentCount() throws -> Int {
    try StoreError.mapping {
      let transaction = try LMDB.ReadTransaction(beginningIn: environment)
      return try Outbox(in: transaction)?.count(in: transaction) ?? 0
    }
  }

  /// Calls a closure soon after commits, of any process, until what it returns is released.
  ///
  /// - Parameter body: Called on a queue of the store; it must return soon.
  package func onCommit(_ body: @escaping @Sendable () -> Void) -> any Sendable {
    let (environment, path, meta) = (environment, schemaUpdate.path, knownCatalog.meta)
    return CommitSubscription(to: environment, knowing: 0) {
      try environment.read { try StoreHeader(in: meta, $0, path: path).sequence }
    } _: { _ in
      body()
    }
  }

  /// The right of one program to synchronize the store, until it is released; nil while another has it.
  package func lease() throws -> (any Sendable)? {
    try StoreError.mapping { try FileLease(of: environment, named: "sync") }
  }

  /// The entries of the outbox, by model and primary key's code.
  package func outbox() throws -> [ObjectKey: OutboxEntry] {
    let transaction = try LMDB.ReadTransaction(beginningIn: environment)
    var entries: [ObjectKey: OutboxEntry] = [:]
    try Outbox(in: transaction)?.forEach(in: transaction) { key, entry in
      if let parts = Outbox.parts(of: key) {
        entries[ObjectKey(model: parts.model, key: Array(parts.key))] = entry
      }
      return true
    }
    return entries
  }
}

extension StoreError {
  /// Whether a synchronization may succeed later, such as when the system has room again.
  ///
  /// That is room on the disk, or for open files, or a device that can be read and written.
  package var mayPass: Bool {
    if case .system(_, let code) = self { return Self.passingCodes.contains(code) }
    return isRetryable
  }

  private static let passingCodes: Set<Int32> = [ENOSPC, EDQUOT, EMFILE, ENFILE, EIO]
}

extension SchemaUpdate {
  /// Writes the marks of models, and an insertion of each of their objects.
  fileprivate func mark(
    _ tables: [Table], as replica: UInt16, _ transaction: inout LMDB.WriteTransaction
  ) throws {
    var stored = try StoredCatalog(creatingIn: &transaction, path: path)
    let isFirst = !stored.entries.contains { $0.isReplicated ?? false }
    for table in tables {
      guard var entry = stored.entries.first(where: { $0.id == table.id }) else { continue }
      entry.isReplicated = true
      stored.replace(entry)
    }
    stored.header.generation += 1
    let outbox = try Outbox(creatingIn: &transaction)
    var clock =
      isFirst ? ReplicaClock(replica: replica) : try ReplicaClock(in: stored.meta, transaction)
    let stamp = clock.tick(milliseconds())
    for table in tables {
      try outbox.insertAll(of: table, at: stamp, &transaction)
    }
    try clock.write(to: stored.meta, &transaction)
    try stored.write(to: &transaction)
  }
}

extension CatalogEntry {
  /// Whether an index has a field's values, also of rows whose layout lacks the field.
  fileprivate func hasEntriesOfOldRows(of field: Int) -> Bool {
    layouts.contains { layout in !layout.columns.contains { $0.field == field } }
      && indexes.contains { index in index.columns.contains { $0.fields.contains(field) } }
  }
}

extension ReadTransaction {
  /// How many objects have changes that the server has not acknowledged.
  ///
  /// - Returns: The number; nil where no model is replicated.
  package func unsentCount() throws -> Int? {
    guard catalog.all.contains(where: \.isReplicated) else { return nil }
    return try StoreError.mapping { try Outbox(in: base)?.count(in: base) ?? 0 }
  }
}
