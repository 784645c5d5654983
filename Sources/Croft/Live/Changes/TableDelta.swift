/// What a commit did to one row.
struct RowDelta: Sendable {
  /// The code of the row's primary key.
  let key: [UInt8]
  /// The row as it was before the commit, in the layout of its catalog; nil where there was none.
  let old: StoredRow?
  /// The row as the commit left it, in the same layout; nil where there is none.
  let new: StoredRow?
  /// Whether ``old`` says what was there; another process's log tells keys only.
  var isOldKnown = true
}

/// What a commit did to the rows of one model.
enum TableDelta: Sendable {
  /// The rows that differ, ascending by key; each once, from what it was first to what it is last.
  case rows([RowDelta])
  /// The keys of the rows that were written, ascending, each once; what the rows were is not known.
  case keys([[UInt8]])
  /// Something changed, and what it was is not known.
  case unknown

  /// Whether nothing changed.
  var isEmpty: Bool {
    switch self {
    case .rows(let changes): changes.isEmpty
    case .keys(let keys): keys.isEmpty
    case .unknown: false
    }
  }
}
