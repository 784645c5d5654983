/// A text folded for a search, which knows from which of its characters each part comes.
struct FoldedText {
  private(set) var utf8: [UInt8] = []
  /// Where each part begins among the bytes, and the first and the last character that it comes from.
  private var parts: [(start: Int, first: String.Index, last: String.Index)] = []

  /// Folds a text: its scalars one by one, and then what they compose.
  ///
  /// Once those are gone that vanish, a scalar composes with others of its grapheme cluster or its word.
  init(_ text: String) {
    var plain = ""
    var places: [String.Index] = []
    for place in text.indices {
      for scalar in text[place].unicodeScalars {
        // One by one: to append a view of scalars copies what is there.
        for part in SearchFolding.decomposed(scalar) {
          plain.unicodeScalars.append(part)
          places.append(place)
        }
      }
    }
    var (part, wasWord, start, end) = ("", false, 0, 0)
    func append() {
      if part.isEmpty { return }
      parts.append((utf8.count, places[start], places[end - 1]))
      utf8 += TextFolding.folded(part, .forSearch).utf8
    }
    for piece in plain.lazy.flatMap(Self.pieces(of:)) {
      let isWord = piece.unicodeScalars.first.map { UnitClass.of($0.value) } == .word
      if !isWord || !wasWord {
        append()
        (part, start) = ("", end)
      }
      part += piece
      end += piece.unicodeScalars.count
      wasWord = isWord
    }
    append()
  }

  /// A cluster's scalars, where they compose nothing, as jamo do that come before a syllable.
  private static func pieces(of cluster: Character) -> [String] {
    let scalars = cluster.unicodeScalars.map { String($0) }
    if scalars.count == 1 { return scalars }
    let folded = scalars.map { TextFolding.folded($0, .forSearch) }.joined()
    let whole = TextFolding.folded(String(cluster), .forSearch)
    return folded.unicodeScalars.elementsEqual(whole.unicodeScalars) ? scalars : [String(cluster)]
  }

  /// The characters of the text that some of the bytes come from.
  func range(of bytes: Range<Int>, in text: String) -> Range<String.Index> {
    let first = parts[partsBegun(at: bytes.lowerBound) - 1].first
    let last = parts[partsBegun(at: bytes.upperBound - 1) - 1].last
    return first..<text.index(after: last)
  }

  /// How many parts begin at a byte or before it.
  private func partsBegun(at place: Int) -> Int {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].start <= place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
