import TodoKit

/// The groups for people, each with its progress; the list of starred items comes first.
struct GroupTable {
  let groups: [GroupSummary]
  let important: Tally
  let language: TextLanguage
  let styler: ANSIStyler
  /// The width that lines must fit; nil for lines of any length.
  let columns: Int?

  /// The lines, each with its newline.
  var text: String {
    let rows =
      [(LocalizedText.important.text(in: language), important)]
      + groups.map { ($0.group.name.visible, $0.tally) }
    let progress = Self.aligned(rows.map(\.1.progressText))
    let widest = rows.map(\.0.displayWidth).max() ?? 0
    let room = columns.map { max(8, $0 - 2 - (progress.map(\.count).max() ?? 0)) } ?? widest
    let width = min(widest, room)
    return zip(rows, progress).map { row, progress in
      let name = row.0.truncated(to: width).padded(to: width)
      return "\(styler.styled(name, .bold))  \(progress)\n"
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
  ///
  /// It is ASCII, because terminals disagree about the width of other bars. Only a tally without
  /// open items has 100% and a full bar.
  var progressText: String {
    let length = 9
    let percent = total == 0 ? 0 : (done * 200 + total) / (total * 2)
    let shown = done < total ? min(99, percent) : percent
    let filled = total == 0 ? 0 : done * length / total
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: length - filled)
    return "\(shown)% [\(bar)] \(done)/\(total)"
  }
}
