import TodoKit

/// The groups as cards, side by side as far as the terminal is wide.
///
/// A card has the group's name behind a block of its colour, the colour as `#rrggbb`, how many items are
/// done, and the progress as a bar.
struct GroupCards {
  let table: GroupTable

  /// The columns of a card with its border.
  private static let width = 26
  /// What a border and a blank take on each side.
  private static let frame = 4

  /// The lines, each with its newline.
  var text: String {
    let columns = table.columns ?? GroupCards.width
    let width = min(Self.width, max(Self.frame + 4, columns))
    let perLine = max(1, (columns + 1) / (width + 1))
    let cards = table.rows.map { card(of: $0, inner: width - Self.frame) }
    var text = ""
    for start in stride(from: 0, to: cards.count, by: perLine) {
      let line = cards[start..<min(cards.count, start + perLine)]
      for row in 0..<(line.first?.count ?? 0) {
        text += line.map { $0[row] }.joined(separator: " ") + "\n"
      }
    }
    return text
  }

  private func card(of row: GroupTable.Row, inner: Int) -> [String] {
    let styler = table.styler
    let border = "+" + String(repeating: "-", count: inner + 2) + "+"
    func framed(
      _ text: String, _ styles: ANSIStyle..., swatch: String = "", width: Int = 0
    ) -> String {
      let room = inner - width
      let shown = text.truncated(to: room)
      let fill = String(repeating: " ", count: room - shown.displayWidth)
      let styled = styles.first.map { styler.styled(shown, $0) } ?? shown
      return "| \(swatch)\(styled)\(fill) |"
    }
    let isColored = row.color != nil
    return [
      border,
      framed(
        row.name, .bold, swatch: isColored ? styler.swatch(row.color) : "",
        width: isColored ? styler.swatchWidth : 0),
      framed(row.colorText, .dim),
      framed(Self.count(row.tally).text(in: table.language)),
      framed(row.tally.progressBar),
      border,
    ]
  }

  private static func count(_ tally: Tally) -> LocalizedText {
    LocalizedText(
      "\(tally.done) of \(tally.total) done", "\(tally.total)개 중 \(tally.done)개 완료")
  }
}
