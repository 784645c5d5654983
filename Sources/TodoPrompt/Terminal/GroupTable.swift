import TodoKit

/// The groups for people, each with its progress; what has a star stands first.
struct GroupTable {
  let groups: [GroupSummary]
  let important: Tally
  let language: MessageLanguage
  let painter: Painter
  /// The width to fit; nil for lines as long as they are.
  let columns: Int?

  /// The lines, each with its newline.
  var text: String {
    let names = [(Phrase.important.text(in: language), important)]
    let rows = names + groups.map { ($0.group.name.visible, $0.tally) }
    let progress = rows.map(\.1.progressText)
    let widest = rows.map(\.0.displayWidth).max() ?? 0
    let room = columns.map { max(8, $0 - 2 - (progress.map(\.count).max() ?? 0)) } ?? widest
    let width = min(widest, room)
    // The percentages end in one column.
    let percents = progress.map { $0.prefix { $0 != " " }.count }.max() ?? 0
    return zip(rows, progress).map { row, progress in
      let name = row.0.truncated(to: width).padded(to: width)
      let gap = String(repeating: " ", count: percents - progress.prefix { $0 != " " }.count)
      return "\(painter.paint(name, .bold))  \(gap)\(progress)\n"
    }.joined()
  }
}
