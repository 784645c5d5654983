/// The objects of a live query as one commit left them.
///
/// An immutable collection in memory: it needs no transaction, stays as it is for as long as it
/// is kept, and shares almost all its memory with the results before and after it. An object is
/// made from its row when it is asked for; a live query hands out only rows that can be read, so
/// that asking never fails.
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
  /// - Complexity: O(log *n*), and making the object.
  /// - Precondition: The index is below ``endIndex``; reading the row's `@Coded` values gives
  ///   what it gave before.
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

/// Which rows a result has: results of one version have the same ones.
package struct ResultVersion: Hashable, Sendable {
  private let root: RowNode
  private let window: Range<Int>

  init(_ rows: ResultRows) {
    root = rows.tree.root
    window = rows.window
  }

  /// Whether two are one version: they share their rows, and the window on them.
  package static func == (first: ResultVersion, second: ResultVersion) -> Bool {
    first.root === second.root && first.window == second.window
  }

  /// Feeds what `==` compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(root))
    hasher.combine(window)
  }
}

extension LiveResults {
  /// Which rows it has, so that nobody has to compare them.
  package var version: ResultVersion { ResultVersion(rows) }
}

extension LiveResults {
  /// Makes the objects one after the other, which costs less than asking for each by its index.
  public struct Iterator: IteratorProtocol {
    private var walk: RowTreeCursor
    private var left: Int

    fileprivate init(_ rows: ResultRows) {
      walk = RowTreeCursor(rows.tree, at: rows.window.lowerBound)
      left = rows.count
    }

    /// The next object, or nil behind the last.
    public mutating func next() -> M? {
      guard left > 0, let place = walk.nextPlace() else { return nil }
      left -= 1
      return LiveResults.object(in: place.row)
    }
  }

  /// Makes an iterator over the objects, in order.
  public func makeIterator() -> Iterator { Iterator(rows) }
}

extension LiveResults: Equatable where M: Equatable {
  /// Whether both have equal objects in one order.
  ///
  /// - Complexity: O(*n*), of which shared rows are not decoded.
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
