/// What a transaction keeps for its writes beside its trees: index writers and captured changes.
///
/// ``Table`` writes with it; see ``Table/write(_:replacing:in:_:)``.
struct WriteContext: ~Copyable {
  /// Nil for a migration, which writes rows alone: it builds indexes and checks references later.
  let catalog: Catalog?
  /// The index writers, each at its index's slot.
  let indexes: [IndexWriter]
  /// Captures changes of rows, where an observer or the log needs them.
  var journal: ChangeJournal?
  /// Collects the keys that the rows of a statement refer to, where they are looked up at its end.
  var targets: PendingTargets?
  /// Rows of other layouts that a statement looks at; cleared where one begins.
  let arena = RowArena()

  /// Makes the context of a transaction.
  init(_ catalog: Catalog, _ journal: ChangeJournal?) {
    self.catalog = catalog
    self.journal = journal
    indexes = catalog.all.flatMap { table in table.indexes.map { IndexWriter($0, of: table) } }
      .sorted { $0.index.slot < $1.index.slot }
  }

  /// Makes the context of a migration.
  init() {
    catalog = nil
    journal = nil
    indexes = []
  }

  /// Whether a statement has to read a row of a table in order to remove it.
  func readsRemovedRows(of table: Table) -> Bool {
    !table.indexes.isEmpty || journal?.capturesRows(of: table) == true
  }

  /// A savepoint starts: what comes now can be taken back alone.
  func mark() {
    for index in indexes { index.mark() }
    journal?.mark()
  }

  /// The innermost savepoint has taken effect.
  func keep() {
    for index in indexes { index.keep() }
    journal?.keep()
  }

  /// The innermost savepoint was undone, in the trees as well.
  func undo() {
    for index in indexes { index.undo() }
    journal?.undo()
  }
}
