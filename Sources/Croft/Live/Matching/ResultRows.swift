/// One version of a query's result: rows in its order, of which a window is shown.
///
/// A value that shares almost all its memory with the versions before and after it.
struct ResultRows: Sendable {
  /// The result without offset and limit, as far as it is kept.
  let tree: RowTree
  /// The ranks that offset and limit show.
  let window: Range<Int>

  /// Nothing.
  static let empty = ResultRows(RowTree(.query), offset: 0, limit: nil)

  /// Shows a window of rows.
  init(_ tree: RowTree, offset: Int, limit: Int?) {
    self.tree = tree
    let start = min(offset, tree.count)
    let length = min(limit ?? .max, tree.count - start)
    window = start..<start + length
  }

  /// How many rows are shown.
  var count: Int { window.count }

  /// A row that is shown.
  ///
  /// - Complexity: O(log *n*).
  subscript(position: Int) -> StoredRow {
    precondition(position >= 0 && position < count, "The index is not in the result.")
    return tree[window.lowerBound + position]
  }

  /// Decodes the rows that a reader of the result can meet, as a fetch would.
  ///
  /// - Parameters:
  ///   - model: The rows' model.
  ///   - diff: How the result became what it is, so that only what is new is decoded; nil for all.
  /// - Throws: ``StoreError`` as a fetch of a row does.
  func check<M: Model>(as model: M.Type, after diff: ResultDiff? = nil) throws {
    guard let diff else {
      return try tree.forEach(in: window) { _ = try $0.object(as: model) }
    }
    for place in diff.insertions { _ = try self[place].object(as: model) }
    for place in diff.modificationsAfter { _ = try self[place].object(as: model) }
    for move in diff.moves where move.isModified { _ = try self[move.to].object(as: model) }
  }
}
