import TodoKit

/// The command that shows items, and what is said around a session.
extension Session {
  func list(_ filter: ItemFilter) throws(Problem) {
    let items = try read { repository throws in try repository.items(filter) }
    listed = ListedItems(items.map(\.id))
    switch preferences.output {
    case .table:
      let count = ShortID.count(for: items.map(\.id))
      let rows = items.enumerated().map { index, item in
        ListedRow(
          number: index + 1, item: item, shortID: ShortID.text(of: item.id, count: count))
      }
      let stream = surroundings.output
      let table = ItemTable(
        rows: rows, language: preferences.language, painter: painter(for: stream),
        columns: stream.columns)
      stream.write(table.text)
    case .json:
      let objects = items.enumerated().map { ItemJSON.object(of: $1, number: $0 + 1) }
      surroundings.output.write(ItemJSON.array(of: objects))
    }
    if items.isEmpty { hint(.nothingListed(filter)) }
  }

  /// Greets at the beginning of a prompt, once the items could be read.
  func welcome() throws(Problem) {
    let items = try read { repository throws in try repository.items(.all) }
    let completed = items.count { $0.isDone }
    hint(.welcome(open: items.count - completed, completed: completed))
  }

  private func read<Value>(
    _ body: (any TodoRepository) throws -> Value
  ) throws(Problem) -> Value {
    let repository = try repository()
    do { return try body(repository) } catch { throw Problem(storage: error) }
  }
}
