// Which indexes are kept, built and removed.

extension SchemaDiff {
  /// Keeps, adds and removes indexes, and updates the types of their columns.
  ///
  /// A schema that the store does not know is taken for the newest: an index that it does not
  /// declare is removed. A known schema belongs to the same program or an older one, which keeps
  /// the indexes that others declared up to date.
  mutating func diffIndexes(isKnown: Bool) {
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
    for index in entry.indexes where !keeps(index, declared, isKnown: isKnown) {
      drops.append(index.id)
    }
    entry.indexes.removeAll { drops.contains($0.id) }
    for place in entry.indexes.indices { resolveTypes(ofIndexAt: place) }
    dropSuperseded()
    var taken = context.indexes
    for var index in declared where !entry.indexes.contains(where: { $0.isSame(as: index) }) {
      index.id = taken.least
      taken.insert(index.id)
      entry.indexes.append(index)
      builds.append(index.id)
    }
  }

  private func keeps(
    _ index: CatalogEntry.Index, _ declared: [CatalogEntry.Index], isKnown: Bool
  ) -> Bool {
    guard index.columns.allSatisfy({ entry.place(of: $0.field) != nil }) else { return false }
    if isKnown || declared.contains(where: { $0.isSame(as: index) }) { return true }
    // The delete rule of a field that the program does not declare needs the field's index.
    guard let first = index.columns.first, index.columns.count == 1,
      !fields.contains(first.field)
    else { return false }
    return entry.fields.contains { $0.id == first.field && $0.reference != nil }
  }

  /// Removes the indexes that were to replace one which is now built at once.
  mutating func dropSuperseded() {
    let superseded = entry.indexes.filter { $0.replaces.map(builds.contains) ?? false }.map(\.id)
    drops += superseded
    builds.removeAll(where: superseded.contains)
    entry.indexes.removeAll { superseded.contains($0.id) }
    for place in entry.indexes.indices where builds.contains(entry.indexes[place].id) {
      entry.indexes[place].awaitsRebuild = nil
    }
  }

  /// Marks new indexes to be built in later transactions, where that is safe.
  ///
  /// Delete rules need all entries of an index at every write, and a constraint that is in force
  /// must stay in force: while a unique index is being built, two objects that it does not cover
  /// yet may be given one value.
  mutating func deferBuilds() {
    for place in entry.indexes.indices where builds.contains(entry.indexes[place].id) {
      let index = entry.indexes[place]
      let wasUnique = index.isUnique && original.indexes.contains { $0.id == index.id }
      entry.indexes[place].isBuilding = !servesRule(index) && !wasUnique
    }
  }

  /// Whether deletes use the index to find the objects that refer to another one.
  private func servesRule(_ index: CatalogEntry.Index) -> Bool {
    index.columns.count == 1
      && entry.fields.contains { $0.id == index.columns[0].field && $0.reference != nil }
  }

  /// Has an index built again where its columns' key codes change, or a delete rule needs it now.
  private mutating func resolveTypes(ofIndexAt place: Int) {
    var index = entry.indexes[place]
    // While an index is rebuilt, the delete rule uses the one that it replaces.
    var isStale = index.isBuilding && index.replaces == nil && servesRule(index)
    for number in index.columns.indices {
      guard let type = storage(of: index.columns[number].field) else { continue }
      if !type.isOptional, changedDefaults.contains(index.columns[number].field) { isStale = true }
      guard !index.columns[number].type.storage.hasSameKeyCode(as: type) else { continue }
      index.columns[number].type = StoredType(type)
      isStale = true
    }
    if isStale {
      (index.isBuilding, index.built) = (false, nil)
      builds.append(index.id)
    }
    entry.indexes[place] = index
  }
}

extension CatalogEntry.Index {
  /// Whether both have the same columns and uniqueness.
  func isSame(as other: CatalogEntry.Index) -> Bool {
    isUnique == other.isUnique && columns.count == other.columns.count
      && zip(columns, other.columns).allSatisfy { $0.isSame(as: $1) }
  }
}
