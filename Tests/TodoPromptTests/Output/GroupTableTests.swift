import Testing
import TodoKit

@testable import TerminalText
@testable import TodoPrompt

@Suite struct GroupTableTests {
  private func table(
    _ tallies: [(String, Tally)], columns: Int? = nil, asCards: Bool = false
  ) throws -> [String] {
    let repository = try CroftTodoRepository.inMemory()
    for (name, tally) in tallies {
      let group = try repository.perform(.addGroup(name: name)).groups[0]
      var items = (0..<tally.total).map {
        TodoItem(title: "x", priority: .low, isDone: $0 < tally.done)
      }
      for index in items.indices { items[index].groupID = group.id }
      try repository.perform(.add(items))
    }
    let table = GroupTable(
      groups: try repository.groups(), important: Tally(), language: .korean,
      styler: ANSIStyler(isOn: false), columns: columns)
    let text = asCards ? GroupCards(table: table).text : table.text
    return text.split(separator: "\n").map(String.init)
  }

  @Test func importantStandsFirstAndTheBarsInOneColumn() throws {
    let lines = try table([
      ("집안일", Tally(total: 9, done: 6)), ("home", Tally(total: 2, done: 2)),
      ("\u{1112}\u{1161}\u{11AB} 👨‍👩‍👧", Tally(total: 100, done: 1)),
    ])
    #expect(lines.first == "중요      0% [---------] 0/0")
    #expect(lines[1].hasPrefix("집안일   67% [######---] 6/9    #"))
    #expect(lines[1].count == "집안일   67% [######---] 6/9    #rrggbb".count)
    let columns = lines.map { line in String(line.prefix { $0 != "[" }).displayWidth }
    #expect(Set(columns).count == 1)
  }

  @Test func noLineIsWiderThanTheTerminal() throws {
    let tallies = [
      (String(repeating: "긴 이름 ", count: 20), Tally(total: 120, done: 0)),
      ("x", Tally(total: 3, done: 3)),
    ]
    for columns in 20...90 {
      for line in try table(tallies, columns: columns) { #expect(line.displayWidth <= columns) }
      let cards = try table(tallies, columns: columns, asCards: true)
      for line in cards { #expect(line.displayWidth <= columns) }
      // Three cards of six lines, as many side by side as there is room for.
      #expect(cards.count == 6 * (columns < 53 ? 3 : columns < 80 ? 2 : 1))
    }
  }
}
