import LMDB

// No reference dangles after a change of the schema either.

extension Catalog {
  /// Checks the references that a change of the schema may have cut off from their objects.
  ///
  /// They are those to a model whose objects moved, those in columns that are references only now
  /// or were made anew, and those that lead to another model than before.
  ///
  /// - Parameters:
  ///   - evolutions: What became of the program's models.
  ///   - moved: The numbers of the models of which an object is gone or has another key.
  ///   - transaction: The transaction of the change, which must be aborted where this throws.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` naming the first reference that
  ///   leads nowhere.
  /// - Complexity: O(*n* log *m*) for *n* references in those columns to a model of *m* objects.
  func checkReferences(
    after evolutions: [SchemaDiff], moved: Set<Int>,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    for model in all {
      let evolution = evolutions.first { $0.record.id == model.id }
      for reference in model.references
      where moved.contains(reference.target)
        || evolution?.mayCutOff(reference, of: model) ?? false
      {
        try unsafe model.checkTargets(of: reference, in: transaction) { key, target in
          let schema = model.schema
          let field = model.layout.names[reference.column]
          let type = model.layout.columns[reference.column].storage
          throw unsafe StoreError.schemaMismatch(
            model: schema.name, field: field,
            reason: "the object with key \(schema.describe(key: key)) would refer to "
              + "\(describe(target, reference, type)), which does not exist; set the reference "
              + "where the store is opened: Store.open(at:models:migrations: [Migration(\"…\", "
              + "\(schema.name).self) { old, new in new?.\(field) = … }])")
        }
      }
    }
  }
}

extension SchemaDiff {
  /// Whether a column of references is new or another one than before.
  fileprivate func mayCutOff(_ reference: ForeignKey, of model: Table) -> Bool {
    let field = layout.columns[reference.column].field
    let before = original.fields.first { $0.id == field }?.reference
    return before?.model != reference.target || builds.contains(reference.index.id)
  }
}

extension Table {
  /// Lends the references of a column that lead to no object.
  ///
  /// - Parameter body: Gets the key of the object that refers, and the one referred to.
  fileprivate func checkTargets(
    of reference: ForeignKey, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let index = reference.index
    var last: [UInt8] = []
    try transaction.forEachBlock(
      of: index.entries, in: entriesOfReferences(by: reference)
    ) { block in
      for place in 0..<block.count {
        // Safety: the entry's bytes are lent with the block; a target is the part of them between
        // the mark of an optional and the key of the object that refers.
        let entry = unsafe block.entries[place]
        let key = try unsafe primaryKey(of: entry, in: index)
        let end = unsafe entry.value.isEmpty ? entry.key.count - key.count : entry.key.count
        let code = unsafe entry.key[(isMarked(reference) ? 1 : 0)..<end]
        let target = unsafe UnsafeRawBufferPointer(rebasing: code)
        // Entries are sorted, so each target is looked up once.
        if unsafe last.elementsEqual(target) { continue }
        last = unsafe [UInt8](target)
        let found = try unsafe transaction.get(
          RawSpan(_unsafeBytes: target), in: reference.targetRows)
        if found == nil { try unsafe body(key, target) }
      }
      return true
    }
  }
}
