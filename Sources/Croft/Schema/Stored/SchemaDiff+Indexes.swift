// Which indexes stay, are built, and go.

extension SchemaDiff {
  /// Settles the indexes, whose types follow the columns'.
  ///
  /// A form of the model that the store meets for the first time is taken for the newest: an
  /// index that it does not declare goes. A known form is an older program's, or the same one's:
  /// it keeps up what others declared.
  mutating func evolveIndexes(isKnown: Bool) {
    let declared = schema.indexes.map { index in
      CatalogEntry.Index(
        id: 0,
        columns: index.columns.map { column in
          CatalogEntry.Index.Column(
            field: fields[column.place], isDescending: column.isDescending,
            isCaseFolded: column.isCaseFolded,
            type: StoredType(schema.columns[column.place].storage))
        }, isUnique: index.isUnique)
    }
    for index in record.indexes where !keeps(index, declared, isKnown: isKnown) {
      drops.append(index.id)
    }
    record.indexes.removeAll { drops.contains($0.id) }
    for place in record.indexes.indices { settleTypes(ofIndexAt: place) }
    dropSuperseded()
    var taken = surroundings.indexes
    for var index in declared where !record.indexes.contains(where: { $0.isSame(as: index) }) {
      index.id = taken.least
      taken.insert(index.id)
      record.indexes.append(index)
      builds.append(index.id)
    }
  }

  private func keeps(
    _ index: CatalogEntry.Index, _ declared: [CatalogEntry.Index], isKnown: Bool
  ) -> Bool {
    guard index.columns.allSatisfy({ record.place(of: $0.field) != nil }) else { return false }
    if isKnown || declared.contains(where: { $0.isSame(as: index) }) { return true }
    // A hidden reference's rule needs the index that finds it.
    guard let first = index.columns.first, index.columns.count == 1,
      !fields.contains(first.field)
    else { return false }
    return record.fields.contains { $0.id == first.field && $0.reference != nil }
  }

  /// Ends rebuilding indexes that are built at once.
  mutating func dropSuperseded() {
    let superseded = record.indexes.filter { $0.replaces.map(builds.contains) ?? false }.map(\.id)
    drops += superseded
    builds.removeAll(where: superseded.contains)
    record.indexes.removeAll { superseded.contains($0.id) }
    for place in record.indexes.indices where builds.contains(record.indexes[place].id) {
      record.indexes[place].awaitsRebuild = nil
    }
  }

  /// Leaves the entries of indexes to be made step by step, where nobody needs them at once.
  ///
  /// Rules need an index's entries at every write, and a constraint that held so far must go on to
  /// hold: while a unique index is being built, two objects that it does not cover may be given one
  /// value.
  mutating func deferBuilds() {
    for place in record.indexes.indices where builds.contains(record.indexes[place].id) {
      let index = record.indexes[place]
      let wasUnique = index.isUnique && original.indexes.contains { $0.id == index.id }
      record.indexes[place].isBuilding = !servesRule(index) && !wasUnique
    }
  }

  /// Whether deletes find by the index who refers to an object, so that no row may lack its entry.
  private func servesRule(_ index: CatalogEntry.Index) -> Bool {
    index.columns.count == 1
      && record.fields.contains { $0.id == index.columns[0].field && $0.reference != nil }
  }

  /// Has an index built again where its entries' codes are of other types, or a rule needs them.
  private mutating func settleTypes(ofIndexAt place: Int) {
    var index = record.indexes[place]
    // Of an index that is made anew the rule has the other one.
    var isStale = index.isBuilding && index.replaces == nil && servesRule(index)
    for number in index.columns.indices {
      guard let type = storage(of: index.columns[number].field) else { continue }
      if !type.isOptional, changedPresets.contains(index.columns[number].field) { isStale = true }
      guard !index.columns[number].type.storage.hasSameKeyCode(as: type) else { continue }
      index.columns[number].type = StoredType(type)
      isStale = true
    }
    if isStale {
      (index.isBuilding, index.built) = (false, nil)
      builds.append(index.id)
    }
    record.indexes[place] = index
  }
}

extension CatalogEntry.Index {
  /// Whether both have the same columns and uniqueness.
  func isSame(as other: CatalogEntry.Index) -> Bool {
    isUnique == other.isUnique && columns.count == other.columns.count
      && zip(columns, other.columns).allSatisfy { $0.isSame(as: $1) }
  }
}
