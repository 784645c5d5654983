/// What a term of a search looks for: some units, the one after the other.
///
/// A text is read once, unit by unit, however often the beginning of the pattern occurs. After each unit
/// the state has a bit for each element, which says whether the elements up to it match what was read
/// last; the next unit shifts it. Baeza-Yates and Gonnet call this the shift-and algorithm.
struct SearchPattern {
  /// What a unit must be.
  enum Element {
    case word([UInt8], isPrefix: Bool)
    /// A character in one of some ranges.
    case character([ClosedRange<UInt32>])
  }

  /// An element, and whether the query has something between it and the one before.
  typealias Part = (element: Element, isApart: Bool)

  /// How many units match.
  let count: Int
  /// Whether it matches from a word's start only.
  private let startsWord: Bool
  private let chunks: [Chunk]
  /// Some texts without which nothing matches.
  private let needles: [ByteNeedle]
  /// The pattern in texts that are not folded; nil where they do not tell.
  private let syllables: SyllablePattern?

  /// How many needles are looked for before the units of a text are read.
  private static let needlesMax = 4

  /// Makes a pattern of at least one part.
  ///
  /// - Parameter overlooksSpaces: Whether a text may have white space between characters that the
  ///   pattern has together, from a word's start.
  init(_ parts: [Part], startsWord: Bool, overlooksSpaces: Bool = true) {
    count = parts.count
    self.startsWord = startsWord
    chunks = stride(from: 0, to: parts.count, by: Chunk.capacity).map {
      Chunk(parts, from: $0, overlooksSpaces: overlooksSpaces)
    }
    needles = Array(parts.lazy.compactMap(\.element.needle).prefix(Self.needlesMax))
    syllables = overlooksSpaces && !startsWord ? SyllablePattern(parts) : nil
  }

  /// Whether the pattern occurs in a text before it is folded; nil where only the folded text tells.
  ///
  /// - Complexity: As ``SyllablePattern/occurs(in:)``, or O(1).
  func occurs(inUnfolded text: UnsafeRawBufferPointer) -> Bool? {
    unsafe syllables?.occurs(in: text)
  }

  /// Whether the pattern occurs in a folded text.
  ///
  /// - Complexity: O(*n*) for a pattern of up to 64 units, and O(*nm*/64) at most.
  func occurs(in text: UnsafeRawBufferPointer) -> Bool {
    for needle in needles where unsafe !needle.isFound(in: text) { return false }
    var isFound = false
    unsafe forEachEnd(in: text) { _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// How often the pattern occurs in a folded text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - units: Becomes how many units the text has, unless the answer was known without them.
  /// - Complexity: As ``occurs(in:)``.
  func occurrences(in text: UnsafeRawBufferPointer, units: inout Int?) -> Int {
    for needle in needles where unsafe !needle.isFound(in: text) { return 0 }
    var count = 0
    units = unsafe forEachEnd(in: text) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Passes the ordinal of each unit with which an occurrence ends, until a closure returns false.
  ///
  /// - Returns: How many units were read.
  @discardableResult
  func forEachEnd(in text: UnsafeRawBufferPointer, _ body: (Int) -> Bool) -> Int {
    // Safety: the states are read after they were written, and while they live.
    unsafe withUnsafeTemporaryAllocation(of: State.self, capacity: chunks.count) { states in
      unsafe states.initialize(repeating: State())
      var units = unsafe SearchUnits(text)
      var ordinal = 0
      while let unit = units.next() {
        var entering = State(
          fromStart: unit.startsWord ? 1 : 0, fromInside: unit.startsWord || startsWord ? 0 : 1)
        for index in chunks.indices {
          let leaving = unsafe states[index].last
          unsafe states[index].advance(entering, over: unit, in: text, chunks[index])
          entering = leaving
        }
        ordinal += 1
        if unsafe states[chunks.count - 1].has((count - 1) % Chunk.capacity), !body(ordinal - 1) {
          break
        }
      }
      return ordinal
    }
  }
}

/// Up to 64 elements of a pattern, each of which is a bit.
private struct Chunk {
  static let capacity = UInt64.bitWidth

  /// The elements before which the query has something, and the pattern's first.
  let apart: UInt64
  /// The characters after a character: white space may be between the two.
  let joined: UInt64
  private let words: [(bytes: [UInt8], isPrefix: Bool, bit: UInt64)]
  /// Where the elements that a character matches change, ascending, and what they are from there on.
  private let bounds: [(first: UInt32, matched: UInt64)]

  init(_ parts: [SearchPattern.Part], from start: Int, overlooksSpaces: Bool) {
    var (apart, joined): (UInt64, UInt64) = (start == 0 ? 1 : 0, 0)
    var words: [(bytes: [UInt8], isPrefix: Bool, bit: UInt64)] = []
    var ranges: [(range: ClosedRange<UInt32>, bit: UInt64)] = []
    for (place, part) in parts[start...].prefix(Self.capacity).enumerated() {
      let bit: UInt64 = 1 << UInt64(place)
      if part.isApart { apart |= bit }
      switch part.element {
      case .word(let bytes, let isPrefix): words.append((bytes, isPrefix, bit))
      case .character(let own):
        ranges += own.map { ($0, bit) }
        if overlooksSpaces, start + place > 0,
          case .character = parts[start + place - 1].element
        {
          joined |= bit
        }
      }
    }
    (self.apart, self.joined, self.words) = (apart, joined, words)
    bounds = Set(ranges.flatMap { [$0.range.lowerBound, $0.range.upperBound + 1] }).sorted()
      .map { bound in
        (bound, ranges.reduce(0) { $1.range.contains(bound) ? $0 | $1.bit : $0 })
      }
  }

  /// The elements that a unit matches.
  func elements(matching unit: SearchUnit, in text: UnsafeRawBufferPointer) -> UInt64 {
    if unit.character != 0 {
      var elements: UInt64 = 0
      for (bound, matched) in bounds {
        if bound > unit.character { break }
        elements = matched
      }
      return elements
    }
    // Safety: the bytes are in the text.
    let word = unsafe UnsafeRawBufferPointer(rebasing: text[unit.bytes]).longestWord
    var elements: UInt64 = 0
    for (bytes, isPrefix, bit) in words where isPrefix || word.count == bytes.count {
      if unsafe word.starts(with: bytes) { elements |= bit }
    }
    return elements
  }
}

/// The elements of a chunk up to which the units that were read last match.
private struct State {
  /// Those of matches that began where a word starts.
  var fromStart: UInt64 = 0
  /// Those of the others.
  var fromInside: UInt64 = 0

  /// The bits that enter the next chunk.
  var last: State {
    let shift = UInt64(Chunk.capacity - 1)
    return State(fromStart: fromStart >> shift, fromInside: fromInside >> shift)
  }

  func has(_ element: Int) -> Bool { (fromStart | fromInside) >> UInt64(element) & 1 == 1 }

  mutating func advance(
    _ entering: State, over unit: SearchUnit, in text: UnsafeRawBufferPointer, _ chunk: Chunk
  ) {
    fromStart = fromStart << 1 | entering.fromStart
    fromInside = fromInside << 1 | entering.fromInside
    switch unit.gap {
    case .none: break
    case .space:
      fromStart &= chunk.apart | chunk.joined
      fromInside &= chunk.apart
    case .signs:
      fromStart &= chunk.apart
      fromInside &= chunk.apart
    }
    if fromStart | fromInside == 0 { return }
    let elements = unsafe chunk.elements(matching: unit, in: text)
    fromStart &= elements
    fromInside &= elements
  }
}

extension SearchPattern.Element {
  /// The text that each matching unit has; nil where there are several.
  fileprivate var needle: ByteNeedle? {
    switch self {
    case .word(let bytes, _): ByteNeedle(bytes)
    case .character(let ranges):
      ranges.count == 1 && ranges[0].count == 1
        ? Unicode.Scalar(ranges[0].lowerBound).map { ByteNeedle(Array(String($0).utf8)) } : nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes of a word that count: whole scalars.
  var longestWord: UnsafeRawBufferPointer {
    var end = SearchUnit.longestWord
    if count <= end { return unsafe self }
    // Safety: the end is within the bytes.
    while end > 0, unsafe self[end] & 0xC0 == 0x80 { end -= 1 }
    return unsafe UnsafeRawBufferPointer(rebasing: self[..<end])
  }
}
