import LMDB
import Synchronization

@testable import Croft

/// A model with texts of each form, for searches.
@Model struct Memo: Hashable {
  @PrimaryKey var id: Int
  var title: String
  var body: String?
  var tags: [String] = []
  @Indexed var year = 0
}

extension TextIndex {
  /// Gives a store's memos an index for searches in their titles, bodies and tags.
  static func add(to store: Store, _ bounds: TextIndexBounds) throws -> TextIndex {
    let tree = try store.writeInEngine { try $0.openDatabase(named: "texts") }
    let known = store.knownCatalog
    let table = try known.table(of: Memo._schema.erased)
    let columns = ["title", "body", "tags"].compactMap { table.layout.names.firstIndex(of: $0) }
    let status = IndexStatus(
      id: 1_000, slot: 0,
      definition: IndexDefinition(columns: columns.map { IndexColumn(place: $0) }))
    let index = TextIndex(
      status, entries: tree, layout: table.layout, model: table.schema.name, bounds)
    let extended = Table(
      id: table.id, schema: table.schema, layout: table.layout, rows: table.rows,
      indexes: table.indexes + [index])
    store.catalog.withLock {
      $0 = Catalog(
        meta: known.meta, log: known.log, generation: known.generation, models: [extended],
        isComplete: true, assumedEmpty: [])
    }
    return index
  }
}
