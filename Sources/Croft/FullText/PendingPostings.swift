/// The postings of some rows, collected in memory until they are written as a segment.
///
/// A term is a sort and its characters: `w` and a word; `s` and two characters that follow each other, with
/// a space between them where the text has white space, or one and a space where no character follows;
/// `i` and the first consonants of up to four characters from a word's start. A character thus has one
/// term, and all terms of a character are in a row.
struct PendingPostings: ~Copyable {
  /// A sort of terms.
  enum Sort {
    static let word = UInt8(ascii: "w")
    static let characters = UInt8(ascii: "s")
    static let initials = UInt8(ascii: "i")
    /// What a term of characters has where a text has white space.
    static let space = UInt8(ascii: " ")
    /// The most initials of a term.
    static let initialsMax = 4
  }

  /// For each posting the property, the term, 00 and the number; each occurrence is one, until they are
  /// counted.
  private var items = ByteList()
  /// How often the first items occur; the others occur once.
  private var counts: [UInt32] = []
  private var number: UInt32 = 0
  /// The units of the row at hand, for each property.
  private(set) var units: [Int]
  private let limit: Int

  /// Makes an empty collection.
  ///
  /// - Parameters:
  ///   - properties: How many properties the index is over.
  ///   - limit: How many occurrences are added before they are counted.
  init(properties: Int, limit: Int) {
    units = Array(repeating: 0, count: properties)
    self.limit = limit
  }

  var byteCount: Int { items.byteCount }

  /// Begins with the row of a number.
  mutating func begin(_ number: UInt32) {
    self.number = number
    for property in units.indices { units[property] = 0 }
  }

  /// Adds the terms of a text of a property, folded for a search.
  mutating func add(_ text: UnsafeRawBufferPointer, of property: Int) {
    // Safety: the units are read, and their bytes copied, while the caller borrows the text.
    var reader = unsafe SearchUnits(text)
    var initials = Initials()
    var before: Range<Int>?
    while let unit = reader.next() {
      units[property] += 1
      let isCharacter = unit.character != 0
      if let before {
        begin(Sort.characters, of: property)
        unsafe items.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[before]))
        let isNext = isCharacter && unit.gap != .signs
        if !isNext || unit.gap == .space { items.bytes.append(Sort.space) }
        if isNext {
          unsafe items.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[unit.bytes]))
        }
        end()
      }
      before = isCharacter ? unit.bytes : nil
      if !isCharacter {
        begin(Sort.word, of: property)
        unsafe items.bytes.append(
          contentsOf: UnsafeRawBufferPointer(rebasing: text[unit.bytes]).longestWord)
        end()
      }
      let initial = Hangul.initial(of: unit.character)
      if unit.gap == .signs || initial == nil { addAll(&initials, of: property) }
      if let initial, let term = initials.append(initial, startsWord: unit.startsWord) {
        add(initials: term, of: property)
      }
    }
    if let before {
      begin(Sort.characters, of: property)
      unsafe items.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[before]))
      items.bytes.append(Sort.space)
      end()
    }
    addAll(&initials, of: property)
    if items.count - counts.count > max(limit, counts.count) { count() }
  }

  /// Passes the postings in the order of properties, terms and numbers, and forgets them.
  ///
  /// - Parameter body: Takes the property, the term and 00; the number; and how often the term occurs.
  mutating func removeAll(_ body: (UnsafeRawBufferPointer, UInt32, UInt32) -> Void) {
    count()
    for place in 0..<items.count {
      // Safety: an item is passed while the list stays unchanged, and has a number at its end.
      let item = unsafe items[place]
      let end = item.count - TextIndexKey.numberSize
      let number = unsafe item.loadUnaligned(fromByteOffset: end, as: UInt32.self)
      unsafe body(
        UnsafeRawBufferPointer(rebasing: item[..<end]), UInt32(bigEndian: number), counts[place])
    }
    items = ByteList()
    counts = []
  }

  private mutating func begin(_ sort: UInt8, of property: Int) {
    items.bytes.append(UInt8(truncatingIfNeeded: property))
    items.bytes.append(sort)
  }

  private mutating func end() {
    items.bytes.append(0)
    items.bytes.append(bigEndian: number)
    items.endItem(at: items.bytes.count)
  }

  private mutating func add(initials: ArraySlice<UInt8>, of property: Int) {
    begin(Sort.initials, of: property)
    for initial in initials { items.bytes.append(initial) }
    end()
  }

  private mutating func addAll(_ initials: inout Initials, of property: Int) {
    for term in initials.removeAll() { add(initials: term, of: property) }
  }

  /// Sorts the items, and counts equal ones.
  private mutating func count() {
    var different = ByteList()
    var sums: [UInt32] = []
    for place in items.order() {
      let place = Int(place)
      let own = place < counts.count ? counts[place] : 1
      // Safety: the items are compared and copied while neither list changes.
      let item = unsafe items[place]
      if let sum = sums.last, unsafe ByteList.compare(different[sums.count - 1], item) == 0 {
        let (more, isTooMany) = sum.addingReportingOverflow(own)
        sums[sums.count - 1] = isTooMany ? .max : more
      } else {
        unsafe different.append(item)
        sums.append(own)
      }
    }
    items = different
    counts = sums
  }
}

/// The first consonants of the characters that were read last, which no sign has been between.
private struct Initials {
  private var letters: [UInt8] = []
  /// Whether a word starts with the character of each letter.
  private var starts: [Bool] = []

  /// Adds a letter, and returns those from a word's start that are complete.
  mutating func append(_ letter: UInt8, startsWord: Bool) -> ArraySlice<UInt8>? {
    letters.append(letter)
    starts.append(startsWord)
    guard letters.count == PendingPostings.Sort.initialsMax else { return nil }
    defer {
      letters.removeFirst()
      starts.removeFirst()
    }
    return starts[0] ? letters[...] : nil
  }

  /// Ends the run, and returns the letters from each word's start.
  mutating func removeAll() -> [ArraySlice<UInt8>] {
    if letters.isEmpty { return [] }
    defer { (letters, starts) = ([], []) }
    return starts.indices.filter { starts[$0] }.map { letters[$0...] }
  }
}

extension Hangul {
  /// A byte for the consonant that begins a syllable, or that is written alone; nil for others.
  static func initial(of character: UInt32) -> UInt8? {
    if syllables.contains(character) {
      return letter(Int(character - syllables.lowerBound) / (middle.count * last.count))
    }
    guard consonants.contains(character) else { return nil }
    return initials[Int(character - consonants.lowerBound)]
  }

  private static func letter(_ ordinal: Int) -> UInt8 { UInt8(ascii: "A") + UInt8(ordinal) }

  /// The bytes of the consonants that are written alone; nil for those of two keys.
  private static let initials: [UInt8?] = consonants.map { consonant in
    Unicode.Scalar(consonant).flatMap { first.firstIndex(of: String($0)) }.map(letter)
  }
}
