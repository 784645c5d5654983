/// One step of telling a view what became of the list that it shows.
///
/// A batch is `willChange`, the changes of sections, the changes of rows, `didChange`. It is
/// never empty. Sections and rows are told by where they were (gone, updated), where they are (new),
/// or both (moved), so all of a batch is applied at once, to the list before it:
/// take out the rows and then the sections that are gone, put in the new sections and then
/// the new rows in ascending order.
public enum FetchedEvent<Element: Sendable>: Sendable {
  /// The whole list, to be drawn anew.
  case reload(SectionedRows<Element>)
  /// A batch begins; the list is what was shown until now.
  case willChange(SectionedRows<Element>)
  /// A section is gone or new.
  case section(SectionEdit)
  /// A row is gone, new, elsewhere or changed.
  case row(RowEdit)
  /// The batch is over; the list is what is to be shown from now on.
  case didChange(SectionedRows<Element>)
}

extension FetchedEvent: Equatable where Element: Equatable {}
