/// The sections of a live query as one commit left them.
///
/// An immutable collection in memory, like the ``LiveResults`` that its objects are.
///
/// Threads: any; it is a value.
public struct SectionedResults<M: Model, Key: Ordered>: RandomAccessCollection, Sendable {
  let sections: SectionedRows

  init(_ sections: SectionedRows) { self.sections = sections }

  /// The objects of all sections, one section behind the other.
  public var objects: LiveResults<M> { LiveResults(sections.rows) }
  /// Zero.
  public var startIndex: Int { 0 }
  /// How many sections there are.
  public var endIndex: Int { sections.count }

  /// The section at an index.
  ///
  /// - Complexity: O(log *n*).
  /// - Precondition: The index is below ``endIndex``.
  public subscript(position: Int) -> LiveSection<M, Key> {
    precondition(position >= 0 && position < endIndex, "The index is not one of a section.")
    let range = sections.range(of: position)
    let row = sections.rows[range.lowerBound]
    do {
      return LiveSection(
        try row.value(of: sections.code.column), LiveResults(sections.rows), range)
    } catch {
      preconditionFailure("A section's key that could be read before cannot be read now: \(error)")
    }
  }

  /// The object at a position.
  ///
  /// - Complexity: O(log *n*), and making the object.
  /// - Precondition: There is such a section, and it has such an index.
  public subscript(position: SectionPosition) -> M { self[position.section][position.index] }

  /// Where the object stands that has an index among all objects.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  /// - Precondition: The index is one of ``objects``.
  public func position(of index: Int) -> SectionPosition {
    precondition(index >= 0 && index < sections.rows.count, "The index is not in the result.")
    return sections.position(of: index)
  }
}

extension SectionedResults: CustomStringConvertible {
  /// The sections, as an array shows them.
  public var description: String { Array(self).description }
}
