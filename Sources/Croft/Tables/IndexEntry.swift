/// One entry among those of a row: where its key ends, behind the entry before it.
struct IndexEntry {
  /// What the entry's key is.
  enum Form {
    /// The columns' codes, then the primary key's; other objects may have the same columns.
    case shared
    /// The columns' codes alone, in a unique index; the value is the primary key's code.
    case alone
    /// As shared, in a unique index, because a code is cut: the rows tell whether values clash.
    case cut
  }

  var end: Int
  var form: Form
}
