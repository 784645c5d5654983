extension TextSearch {
  /// Where the terms are in a text, to highlight them: ascending, none over another.
  ///
  /// Each term that is not excluded has its ranges, also where the text lacks another term. A range has
  /// whole words, and whole characters of scripts that need no spaces.
  ///
  /// ```swift
  /// let title = "바나나우유 사기"
  /// for range in TextSearch("우유").ranges(in: title) { print(title[range]) }
  /// ```
  ///
  /// - Complexity: O(length of the text), for each term, and what sorting the ranges takes.
  public func ranges(in text: String) -> [Range<String.Index>] {
    let folded = FoldedText(text)
    let found = unsafe folded.utf8.withUnsafeBytes { utf8 in
      // Safety: the bytes are read while the array keeps them.
      unsafe SearchMatcher(query).occurrences(in: utf8)
    }
    var ranges: [Range<String.Index>] = []
    for bytes in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let range = folded.range(of: bytes, in: text)
      if let last = ranges.last, range.lowerBound < last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }
}

extension SearchMatcher {
  /// The bytes of all occurrences of the terms that are not excluded, in a folded text.
  fileprivate func occurrences(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
    var reader = unsafe SearchUnits(text)
    var units: [Range<Int>] = []
    while let unit = reader.next() { units.append(unit.bytes) }
    var found: [Range<Int>] = []
    for term in groups.joined() where !term.isExcluded {
      for pattern in term.patterns {
        unsafe pattern.forEachEnd(in: text) { last in
          found.append(units[last - pattern.count + 1].lowerBound..<units[last].upperBound)
          return true
        }
      }
    }
    return found
  }
}
