/// A part of a text with what was found in it, in one line.
public struct SearchExcerpt: Hashable, Sendable {
  /// The line; it begins and ends with `…` where the text has more.
  public let text: String
  /// Where the terms are in the line, to highlight them.
  public let ranges: [Range<String.Index>]
}

extension TextSearch {
  /// The part of a text that has most of what is found in it.
  ///
  /// White space becomes spaces, so that it is one line. Where nothing is found, it is the beginning.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - count: How many characters the line may have, beside `…`.
  /// - Complexity: As ``ranges(in:)``.
  public func excerpt(of text: String, characters count: Int) -> SearchExcerpt {
    precondition(count > 0, "An excerpt has a character at least: ask for more than 0.")
    let ranges = ranges(in: text)
    var window = TextWindow(text, around: ranges, count: count)
    window.moveToWord(in: text)
    return window.excerpt(of: text, ranges)
  }
}

/// The characters of a text that an excerpt has.
private struct TextWindow {
  private var start: String.Index
  private var end: String.Index
  /// Where what was found begins; the start may move up to there.
  private let found: String.Index

  /// Chooses the characters with the most ranges, with as much before as after them.
  init(_ text: String, around ranges: [Range<String.Index>], count: Int) {
    var best = (first: text.startIndex, characters: 0, ranges: 0)
    // How many characters there are from the first range to the end of the next one.
    var (next, characters, read) = (0, 0, ranges.first?.lowerBound ?? text.startIndex)
    // Those to the end of a range that is too far, which are counted once for all ranges before it.
    var far: Int?
    for (ordinal, range) in ranges.enumerated() {
      while next < ranges.count {
        let step = far ?? text.distance(from: read, to: ranges[next].upperBound)
        far = step
        if characters + step > count, next > ordinal { break }
        (characters, read, next, far) = (characters + step, ranges[next].upperBound, next + 1, nil)
      }
      if next - ordinal > best.ranges { best = (range.lowerBound, characters, next - ordinal) }
      if ordinal + 1 < ranges.count {
        characters -= text.distance(from: range.lowerBound, to: ranges[ordinal + 1].lowerBound)
      }
    }
    found = best.first
    let margin = max(0, count - best.characters)
    let before = text.index(found, offsetBy: -(margin / 2), limitedBy: text.startIndex)
    start = before ?? text.startIndex
    end = text.index(start, offsetBy: count, limitedBy: text.endIndex) ?? text.endIndex
    if end == text.endIndex {
      start = text.index(end, offsetBy: -count, limitedBy: text.startIndex) ?? text.startIndex
    }
  }

  /// Moves the start to the word that follows, where the text before is left out.
  mutating func moveToWord(in text: String) {
    if start == text.startIndex || text[text.index(before: start)].isWhitespace { return }
    guard let space = text[start..<found].firstIndex(where: \.isWhitespace) else { return }
    start = text.index(after: space)
  }

  func excerpt(of text: String, _ ranges: [Range<String.Index>]) -> SearchExcerpt {
    var line = start > text.startIndex ? "…" : ""
    var bounds: [(lower: Int, upper: Int)] = []
    var read = start
    /// Appends the characters up to a place, and returns how many bytes the line has then.
    func append(until place: String.Index) -> Int {
      for character in text[read..<place] {
        line.append(character.isWhitespace ? " " : character)
      }
      read = place
      return line.utf8.count
    }
    for range in ranges where range.overlaps(start..<end) {
      let part = range.clamped(to: start..<end)
      bounds.append((append(until: part.lowerBound), append(until: part.upperBound)))
    }
    _ = append(until: end)
    if end < text.endIndex { line += "…" }
    return SearchExcerpt(
      text: line,
      ranges: bounds.map {
        line.utf8.index(
          line.startIndex, offsetBy: $0.lower)..<line.utf8.index(
            line.startIndex, offsetBy: $0.upper)
      })
  }
}
