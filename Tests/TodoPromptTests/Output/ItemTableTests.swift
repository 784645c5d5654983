import Testing
import TodoKit

@testable import TerminalText
@testable import TodoPrompt

@Suite struct ItemTableTests {
  private func table(
    _ items: [TodoItem], columns: Int? = nil, language: TextLanguage = .english,
    isColored: Bool = false
  ) -> String {
    let rows = items.enumerated().map { ItemTable.Row(number: $0 + 1, item: $1, shortID: "a1b2") }
    return ItemTable(
      rows: rows, language: language, styler: ANSIStyler(isOn: isColored), columns: columns,
      today: TestTerminal.clock.today, time: TestTerminal.clock.time
    ).text
  }

  @Test func titlesBeginInOneColumn() {
    let items = (1...12).map {
      TodoItem(title: "title \($0)", priority: $0 == 3 ? .normal : .low, isDone: $0 > 10)
    }
    for language in TextLanguage.allCases {
      let lines = table(items, language: language).split(separator: "\n").filter {
        $0.contains("title")
      }
      let columns = lines.map { String($0.prefix { $0 != "t" }).displayWidth }
      #expect(lines.count == 12)
      #expect(Set(columns).count == 1, "\(lines)")
    }
  }

  @Test func noLineIsWiderThanTheTerminal() {
    let items = [
      TodoItem(title: String(repeating: "긴 제목 ", count: 30), priority: .high),
      TodoItem(title: String(repeating: "👨‍👩‍👧🇰🇷", count: 30), priority: .normal, isDone: true),
      TodoItem(
        title: String(repeating: "\u{1112}\u{1161}\u{11AB}e\u{301}", count: 60), priority: .low),
    ]
    for columns in 16...90 {
      for language in TextLanguage.allCases {
        for line in table(items, columns: columns, language: language).split(separator: "\n") {
          #expect(String(line).displayWidth <= columns, "\(columns): \(line)")
        }
      }
    }
  }

  /// Under 40 columns nothing of a title is lost; a day is never truncated, and a title has half of the line.
  @Test func narrowTerminalsKeepTitlesAndDays() {
    let title = "보고서를 다시 쓰고 김과장에게 보내기"
    var item = TodoItem(title: title, priority: .high, isImportant: true, tags: ["회사", "급한 일"])
    item.due = CalendarDay("2026-06-01")
    for columns in 16...120 {
      let text = table([item], columns: columns)
      let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)
      #expect(!words.contains { $0.hasPrefix("due:") && $0 != "due:2026-06-01" }, "\(text)")
      if columns < 40 {
        #expect(title.split(separator: " ").allSatisfy { words.contains(String($0)) }, "\(text)")
        #expect(words.contains("due:2026-06-01"))
      } else {
        let line = text.split(separator: "\n").first.map(String.init) ?? ""
        let start = line.prefix { $0 != "보" }.description.displayWidth
        #expect(columns - start >= columns / 2, "\(columns): \(text)")
      }
    }
  }

  @Test func coloursDoNotCountAsWidth() {
    let items = [TodoItem(title: "긴 제목입니다 정말로", priority: .high, isDone: true)]
    let plain = table(items, columns: 70)
    var colored = table(items, columns: 70, isColored: true)
    #expect(colored.contains("\u{1B}[31mhigh"))
    for code in ["[31m", "[1m", "[2m", "[9;2m", "[0m"] {
      colored = colored.split(separator: "\u{1B}" + code, omittingEmptySubsequences: false)
        .joined()
    }
    #expect(colored == plain)
  }

  @Test func starsHaveAColumnOnlyWhereThereIsOne() {
    let plain = TodoItem(title: "a", priority: .low)
    let starred = TodoItem(title: "b", priority: .low, isImportant: true)
    #expect(table([plain]) == "1  [ ]  low  a1b2  a\n")
    #expect(table([plain, starred]) == "1  [ ]     low  a1b2  a\n2  [ ]  *  low  a1b2  b\n")
  }

  @Test func dayGroupAndTagsStandBehindTheTitleAndGiveWayToIt() {
    let item = TodoItem(
      title: "보고서 쓰기", priority: .high, due: CalendarDay("2026-06-01"), tags: ["회사", "x\u{1B}[2J"])
    let row = ItemTable.Row(number: 1, item: item, shortID: "a1b2", group: "일")
    func line(columns: Int?) -> String {
      ItemTable(
        rows: [row], language: .english, styler: ANSIStyler(isOn: false), columns: columns,
        today: TestTerminal.clock.today, time: TestTerminal.clock.time
      ).text
    }
    #expect(
      line(columns: nil)
        == "1  [ ]  high  a1b2  보고서 쓰기  due:2026-06-01 @일 #회사 #x\\u{1b}[2J\n")
    #expect(line(columns: 62) == "1  [ ]  high  a1b2  보고서 쓰기  due:2026-06-01 @일 #회사 ...\n")
    #expect(
      line(columns: 44) == "1 [ ] !h a1b2 보고서 쓰기\n              due:2026-06-01 @일 #회사 ...\n")
    #expect(
      line(columns: 20) == "1 [ ] !h a1b2\n  보고서 쓰기\n  due:2026-06-01 @일\n  #회사 #x\\u{1b}[2J\n")
  }

  @Test func aTitleCannotDriveTheTerminal() {
    let text = table([TodoItem(title: "x\u{1B}[2J\ny", priority: .low)])
    #expect(!text.contains("\u{1B}"))
    #expect(text.filter { $0 == "\n" }.count == 1)
  }
}
