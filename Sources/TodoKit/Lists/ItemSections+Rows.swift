public import Presentation

extension ItemSections {
  /// The sections as a list view takes them: those that are not empty, named as ``ItemSection``.
  public var rows: SectionedRows<TodoItem> {
    let parts = [(ItemSection.open, open.count), (.completed, completed.count)]
    return SectionedRows(
      ListRows(all),
      sections: parts.filter { $0.1 > 0 }.map { ListSection(name: $0.rawValue, count: $1) })
  }
}
