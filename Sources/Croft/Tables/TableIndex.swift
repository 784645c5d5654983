import LMDB

/// One index of a table in an open store; immutable, and a class so that loops copy a reference.
final class TableIndex: Sendable {
  /// The catalog's number of it, which also names its tree.
  let id: Int
  /// The place of its writer among a transaction's index writers.
  let slot: Int
  let columns: [IndexColumn]
  /// The names of the columns and expressions.
  let names: [String]
  /// How the parts of an entry are made, one for each of ``columns``.
  let parts: [Part]
  /// The types of the values that the parts enter.
  let storages: [StorageType]
  /// The expressions that parts enter, with the kinds of their values.
  let expressions: [(reader: ExpressionReader<ColumnLayout>, kind: StorageType.Kind)]
  /// Whether no two objects may have the same values.
  let isUnique: Bool
  let entries: StoredTree<IndexEntry>
  /// The most bytes kept of one variable value.
  let cut: Int
  /// While the index is being built, the key of the last row that has its entries, which is
  /// shorter than any where none has; nil where all rows have theirs.
  let lastBuilt: [UInt8]?
  /// Whether queries must not use its entries, because they are to be rebuilt.
  let awaitsRebuild: Bool
  /// The number of the index that it replaces once it is built; nil for none.
  let replaces: Int?
  /// Whether rows that cannot be read get no entries while it is built; otherwise they stop it.
  let skipsDamagedRows: Bool
  /// The position among ``columns`` of a collection, whose elements have an entry each.
  let multiple: Int?

  init(
    id: Int, slot: Int, columns: [IndexColumn], isUnique: Bool, entries: Database,
    layout: RecordLayout, lastBuilt: [UInt8]? = nil, awaitsRebuild: Bool = false,
    replaces: Int? = nil, skipsDamagedRows: Bool = false
  ) {
    self.skipsDamagedRows = skipsDamagedRows
    self.awaitsRebuild = awaitsRebuild
    self.replaces = replaces
    self.id = id
    self.slot = slot
    self.columns = columns
    self.isUnique = isUnique
    self.entries = StoredTree<IndexEntry>(entries)
    self.lastBuilt = lastBuilt
    var expressions: [(reader: ExpressionReader<ColumnLayout>, kind: StorageType.Kind)] = []
    (names, storages, parts) = (
      columns.map { column in
        switch column.source {
        case .column(let place): layout.names[place]
        case .expression(let computed): computed.expression.name
        }
      },
      columns.map { column in
        switch column.source {
        case .column(let place): layout.columns[place].storage
        case .expression(let computed): computed.storage.optional
        }
      },
      columns.map { column in
        let source: Part.Source
        switch column.source {
        case .column(let place): source = .column(place)
        case .expression(let computed):
          source = .expression(expressions.count)
          let reader = ExpressionReader(computed.expression) { layout.columns[$0.place] }
          expressions.append((reader, computed.storage.kind))
        }
        return Part(
          source: source, isDescending: column.isDescending, isCaseFolded: column.isCaseFolded)
      }
    )
    self.expressions = expressions
    cut = KeyCode.longestKept(storages)
    multiple = storages.firstIndex { $0.collection != nil }
  }

  /// How one part of an entry is made; trivial, because every write loops over parts.
  struct Part: Sendable {
    enum Source: Sendable {
      /// The column at a place.
      case column(Int)
      /// One of the index's expressions.
      case expression(Int)
    }

    let source: Source
    let isDescending: Bool
    let isCaseFolded: Bool
  }

  /// Whether rows still lack their entries, so that queries cannot use the index.
  var isBuilding: Bool { lastBuilt != nil }

  /// Whether queries may use the index.
  var isReadable: Bool { !isBuilding && !awaitsRebuild }
}
