import LineEditing
import TerminalText
import TodoKit

/// The groups for people, each with its progress; the list of starred items comes first.
///
/// A group has its colour as `#rrggbb`, and as a block before its name where colours are on. On a terminal
/// of less than 40 columns, or less than the bars need, a group has several lines.
struct GroupTable {
  let groups: [GroupSummary]
  let important: Tally
  let language: TextLanguage
  let styler: ANSIStyler
  /// The width that lines must fit; nil for lines of any length.
  let columns: Int?
  var glyphs = Glyphs()

  /// The width that a line leaves at least for names.
  private static let nameColumns = 8

  /// A line of the table, or a card.
  struct Row {
    let name: String
    let tally: Tally
    /// The group's colour; nil for the list of starred items.
    let color: RGBA?

    /// The colour as text; empty without one.
    var colorText: String { color?.description ?? "" }
  }

  /// The rows, that of the starred items first.
  var rows: [Row] {
    [Row(name: LocalizedText.important.text(in: language), tally: important, color: nil)]
      + groups.map { Row(name: $0.group.name.visible, tally: $0.tally, color: $0.group.color) }
  }

  /// The lines, each with its newline.
  var text: String {
    let rows = rows
    let progress = Self.aligned(rows.map { $0.tally.progressText(glyphs) })
    let progressWidth = progress.map(\.displayWidth).max() ?? 0
    let colorWidth = rows.map(\.colorText.count).max() ?? 0
    let rest = 2 + progressWidth + (colorWidth > 0 ? 2 + colorWidth : 0) + styler.swatchWidth
    if let columns, columns < max(ItemTable.recordColumns, rest + Self.nameColumns) {
      return records(columns)
    }
    let widest = rows.map(\.name.displayWidth).max() ?? 0
    let width = min(widest, columns.map { $0 - rest } ?? widest)
    return zip(rows, progress).map { row, progress in
      let name = row.name.truncated(to: width).padded(to: width)
      let line = styler.swatch(row.color) + styler.styled(name, .bold) + "  "
      if row.color == nil { return "\(line)\(progress)\n" }
      let color = styler.styled(row.colorText, .dim)
      return "\(line)\(progress.padded(to: progressWidth))  \(color)\n"
    }.joined()
  }

  private func records(_ columns: Int) -> String {
    rows.map { row in
      let name = row.name.truncated(to: columns - styler.swatchWidth)
      let lines = [styler.swatch(row.color) + styler.styled(name, .bold)]
      let progress = ("  " + row.tally.progressText(glyphs)).wrapped(to: columns)
      let color = row.color == nil ? [] : ["  " + styler.styled(row.colorText, .dim)]
      return (lines + [progress] + color).map { $0 + "\n" }.joined()
    }.joined()
  }

  /// The same texts, with their percentages ending in one column.
  private static func aligned(_ texts: [String]) -> [String] {
    func percent(_ text: String) -> Int { text.prefix { $0 != " " }.count }
    let width = texts.map(percent).max() ?? 0
    return texts.map { String(repeating: " ", count: width - percent($0)) + $0 }
  }
}

extension Tally {
  /// The progress as a percentage, a bar and a count, such as `67% [######---] 6/9`.
  func progressText(_ glyphs: Glyphs = Glyphs()) -> String {
    "\(percent)% \(bar(glyphs)) \(done)/\(total)"
  }

  /// The progress as a bar and a percentage, such as `[######---] 67%`.
  func progressBar(_ glyphs: Glyphs) -> String { "\(bar(glyphs)) \(percent)%" }

  /// How much is done of a hundred; 100 only without open items.
  private var percent: Int {
    let percent = total == 0 ? 0 : (done * 200 + total) / (total * 2)
    return done < total ? min(99, percent) : percent
  }

  /// A bar, which is full only without open items.
  private func bar(_ glyphs: Glyphs) -> String {
    let length = 9
    return glyphs.bar(filled: total == 0 ? 0 : done * length / total, of: length)
  }
}
