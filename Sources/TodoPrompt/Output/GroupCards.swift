import LineEditing
import TerminalText
import TodoKit

/// The groups as cards, side by side as far as the terminal is wide.
///
/// A card has the group's name after a block of its colour, the colour as `#rrggbb`, how many items are
/// done, and the progress as a bar.
struct GroupCards {
  let table: GroupTable

  /// The columns of a card with its border.
  private static let width = 26

  /// What the borders and blanks on both sides take.
  private var frame: Int { 2 * table.glyphs.side.displayWidth + 2 }

  /// The lines, each with its newline.
  var text: String {
    let columns = table.columns ?? Self.width
    let whole = min(Self.width, max(frame + 4, columns))
    // Even, so that a border of wide characters fits.
    let inner = (whole - frame) / 2 * 2
    let perLine = max(1, (columns + 1) / (inner + frame + 1))
    let cards = table.rows.map { card(of: $0, inner: inner) }
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
    let side = table.glyphs.side
    func framed(
      _ text: String, _ style: ANSIStyle? = nil, swatch: String = "", width: Int = 0
    ) -> String {
      let room = inner - width
      let shown = text.truncated(to: room)
      let fill = String(repeating: " ", count: room - shown.displayWidth)
      let styled = style.map { styler.styled(shown, $0) } ?? shown
      return "\(side) \(swatch)\(styled)\(fill) \(side)"
    }
    let isColored = row.color != nil
    return [
      table.glyphs.border(inner + 2, isUpper: true),
      framed(
        row.name, .bold, swatch: isColored ? styler.swatch(row.color) : "",
        width: isColored ? styler.swatchWidth : 0),
      framed(row.colorText, .dim),
      framed(Self.count(row.tally).text(in: table.language)),
      framed(row.tally.progressBar(table.glyphs)),
      table.glyphs.border(inner + 2, isUpper: false),
    ]
  }

  private static func count(_ tally: Tally) -> LocalizedText {
    LocalizedText(
      "\(tally.done) of \(tally.total) done", "\(tally.total)개 중 \(tally.done)개 완료")
  }
}
