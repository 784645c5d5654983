/// The objects of a live query's result after one commit.
///
/// An immutable collection in memory, which needs no transaction and shares most of its memory with
/// the results before and after it. A subscript decodes the object from its row. That cannot fail,
/// because a live query delivers only rows that it has decoded before.
///
/// Threads: any; it is a value.
public struct LiveResults<M: Model>: RandomAccessCollection, Sendable {
  let rows: ResultRows

  init(_ rows: ResultRows) { self.rows = rows }

  /// Makes a result without objects.
  public init() { rows = .empty }

  /// Zero.
  public var startIndex: Int { 0 }
  /// How many objects there are.
  public var endIndex: Int { rows.count }

  /// The object at an index.
  ///
  /// - Complexity: O(log *n*), and decoding the object.
  /// - Precondition: The index is below ``endIndex``, and decoding the row's `@Coded` values gives
  ///   the same as before.
  public subscript(position: Int) -> M {
    Self.object(in: rows[position])
  }

  fileprivate static func object(in row: StoredRow) -> M {
    do {
      return try row.object(as: M.self)
    } catch {
      preconditionFailure(
        "An object that could be read before cannot be read now (\(error)): let init(from:) of "
          + "\(M.self)'s @Coded values depend on nothing but the bytes.")
    }
  }
}

/// The identity of a result: two results of one version have the same rows.
package struct ResultVersion: Hashable, Sendable {
  private let root: RowNode
  private let window: Range<Int>

  init(_ rows: ResultRows) {
    root = rows.tree.root
    window = rows.window
  }

  /// Whether both share their rows and their window.
  package static func == (first: ResultVersion, second: ResultVersion) -> Bool {
    first.root === second.root && first.window == second.window
  }

  /// Feeds the values that `==` compares to the hasher.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(root))
    hasher.combine(window)
  }
}

extension LiveResults {
  /// The identity of the rows, by which results are compared without reading them.
  package var version: ResultVersion { ResultVersion(rows) }

  /// Decodes the objects in order, faster than by their indices.
  public struct Iterator: IteratorProtocol {
    private var cursor: RowTreeCursor
    private var remaining: Int

    fileprivate init(_ rows: ResultRows) {
      cursor = RowTreeCursor(rows.tree, at: rows.window.lowerBound)
      remaining = rows.count
    }

    /// The next object; nil after the last.
    public mutating func next() -> M? {
      guard remaining > 0, let next = cursor.next() else { return nil }
      remaining -= 1
      return LiveResults.object(in: next.row)
    }
  }

  /// Makes an iterator over the objects, in order.
  public func makeIterator() -> Iterator { Iterator(rows) }
}

extension LiveResults: Equatable where M: Equatable {
  /// Whether both have equal objects in the same order.
  ///
  /// - Complexity: O(*n*); shared rows are not decoded.
  public static func == (left: LiveResults<M>, right: LiveResults<M>) -> Bool {
    guard left.count == right.count else { return false }
    return left.indices.allSatisfy { place in
      left.rows[place].isIdentical(to: right.rows[place]) || left[place] == right[place]
    }
  }
}

extension LiveResults: CustomStringConvertible {
  /// The objects, as an array shows them.
  public var description: String { Array(self).description }
}
