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

  /// A term in the row of a number.
  private struct Posting {
    let term: UInt32
    let number: UInt32
    var count: UInt32
  }

  /// What is known of a term beside its bytes.
  private struct Entry {
    /// The first eight bytes after the property, up to 00, the first one the lowest.
    ///
    /// No term has 00 before its end, so that those of a term that fits are the term.
    let start: UInt64
    let property: UInt8
    /// How many postings it has.
    var count: UInt32 = 0
    /// The number and the place of the last one.
    var number: UInt32 = 0
    var last: UInt32 = 0
  }

  /// A place of the table.
  private struct Slot {
    var hash: UInt32 = 0
    /// One more than a term's place; 0 for none.
    var term: UInt32 = 0
  }

  /// The property, the term and 00 of each different term, in the order in which they came.
  private var terms = ByteList()
  private var entries: [Entry] = []
  /// The terms by their hashes, modulo the table's size, or in the next place that was free.
  private var slots: [Slot]
  /// The multiplier of hashes, which no text can be made for.
  private let secret: UInt64
  /// The postings, in the order in which their terms first occur.
  private var postings: [Posting] = []
  private var number: UInt32 = 0
  /// The units of the row at hand, for each property.
  private(set) var units: [Int]

  /// Makes an empty collection.
  ///
  /// - Parameters:
  ///   - properties: How many properties the index is over.
  ///   - slots: How many places the table has at first: a power of two.
  ///   - secret: The multiplier of hashes: 0 makes all hashes equal, and 1 those of many terms.
  init(
    properties: Int, slots: Int = 1024, secret: UInt64 = .random(in: .min ... .max) | 1
  ) {
    units = Array(repeating: 0, count: properties)
    self.slots = Array(repeating: Slot(), count: slots)
    self.secret = secret
  }

  var byteCount: Int {
    terms.byteCount + entries.count * MemoryLayout<Entry>.stride
      + postings.count * MemoryLayout<Posting>.stride
  }

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
    var count = 0
    while let unit = reader.next() {
      count += 1
      let isCharacter = unit.character != 0
      if let before {
        begin(Sort.characters, of: property)
        unsafe terms.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[before]))
        let isNext = isCharacter && unit.gap != .signs
        if !isNext || unit.gap == .space { terms.bytes.append(Sort.space) }
        if isNext {
          unsafe terms.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[unit.bytes]))
        }
        end()
      }
      before = isCharacter ? unit.bytes : nil
      if !isCharacter {
        begin(Sort.word, of: property)
        unsafe terms.bytes.append(
          contentsOf: UnsafeRawBufferPointer(rebasing: text[unit.bytes]).longestWord)
        end()
      }
      let initial = Hangul.initial(of: unit.character)
      if unit.gap == .signs || initial == nil { addAll(&initials, of: property) }
      if let initial {
        initials.append(initial, startsWord: unit.startsWord)
        if initials.count == Sort.initialsMax { addFirst(&initials, of: property) }
      }
    }
    if let before {
      begin(Sort.characters, of: property)
      unsafe terms.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[before]))
      terms.bytes.append(Sort.space)
      end()
    }
    addAll(&initials, of: property)
    units[property] += count
  }

  /// Passes each term with its postings, in the order of properties and terms, and forgets them.
  ///
  /// - Parameter body: Takes the property, the term and 00; the numbers, in the order in which their
  ///   rows began; and how often the term occurs in the row of each.
  /// - Complexity: O(*n* + *t* log *t*) for *n* postings of *t* terms.
  mutating func removeAll(
    _ body: (UnsafeRawBufferPointer, Span<UInt32>, Span<UInt32>) -> Void
  ) {
    let order = terms.order()
    // Where the next posting of each term is put.
    var places = [Int](repeating: 0, count: entries.count)
    var end = 0
    for term in order {
      places[Int(term)] = end
      end += Int(entries[Int(term)].count)
    }
    var numbers = [UInt32](repeating: 0, count: postings.count)
    var counts = numbers
    for posting in postings {
      let place = places[Int(posting.term)]
      (numbers[place], counts[place]) = (posting.number, posting.count)
      places[Int(posting.term)] = place + 1
    }
    for term in order {
      let end = places[Int(term)]
      let own = end - Int(entries[Int(term)].count)..<end
      // Safety: the term is passed while the list stays unchanged.
      unsafe body(
        terms[Int(term)], numbers.span.extracting(own), counts.span.extracting(own))
    }
    terms.removeAll()
    entries = []
    postings = []
    slots = [Slot](repeating: Slot(), count: slots.count)
  }

  private mutating func begin(_ sort: UInt8, of property: Int) {
    terms.bytes.append(UInt8(truncatingIfNeeded: property))
    terms.bytes.append(sort)
  }

  /// Adds an occurrence of the term whose bytes were appended.
  private mutating func end() {
    terms.bytes.append(0)
    let first = terms.start(of: terms.count)
    // Safety: the bytes are read and compared while the list stays unchanged.
    let term = unsafe UnsafeRawBufferPointer(rebasing: terms.bytes.bytes[first...])
    let (property, start) = unsafe (term[0], term.word(at: 1))
    let isWhole = term.count <= 1 + MemoryLayout<UInt64>.size
    let hash = unsafe hash(of: term, start)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot].term != 0 {
      if slots[slot].hash == hash {
        let known = Int(slots[slot].term) - 1
        if entries[known].start == start, entries[known].property == property,
          unsafe isWhole || ByteList.compare(terms[known], term) == 0
        {
          terms.bytes.count = first
          return add(to: known)
        }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    terms.endItem(at: terms.bytes.count)
    entries.append(Entry(start: start, property: property))
    slots[slot] = Slot(hash: hash, term: UInt32(entries.count))
    add(to: entries.count - 1)
    if entries.count * 2 > slots.count { grow() }
  }

  /// Adds an occurrence of a term by its place.
  @inline(__always)
  private mutating func add(to term: Int) {
    if entries[term].count > 0, entries[term].number == number {
      let last = Int(entries[term].last)
      postings[last].count = postings[last].count.addingSaturating(1)
      return
    }
    entries[term].count += 1
    (entries[term].number, entries[term].last) = (number, UInt32(postings.count))
    postings.append(Posting(term: UInt32(term), number: number, count: 1))
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for entry in old where entry.term != 0 {
      var slot = Int(entry.hash) & (slots.count - 1)
      while slots[slot].term != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }

  /// A hash of a term: each eight bytes of it, and what is left, are multiplied by the secret.
  @inline(__always)
  private func hash(of term: UnsafeRawBufferPointer, _ start: UInt64) -> UInt32 {
    func mix(_ word: UInt64) -> UInt64 {
      let (high, low) = word.multipliedFullWidth(by: secret)
      return high ^ low
    }
    let size = MemoryLayout<UInt64>.size
    // Safety: the term has bytes at each place.
    var hash = mix(start ^ secret) ^ (unsafe UInt64(term[0]))
    var place = 1 + size
    while place < term.count {
      hash = mix(hash ^ (unsafe term.word(at: place)))
      place += size
    }
    return UInt32(truncatingIfNeeded: mix(hash))
  }

  // MARK: - Initials

  /// Removes the first letter, and adds the term of all of them where a word starts with it.
  private mutating func addFirst(_ initials: inout Initials, of property: Int) {
    if initials.startsWord {
      begin(Sort.initials, of: property)
      initials.append(to: &terms.bytes)
      end()
    }
    initials.removeFirst()
  }

  private mutating func addAll(_ initials: inout Initials, of property: Int) {
    while initials.count > 0 { addFirst(&initials, of: property) }
  }
}

extension UnsafeRawBufferPointer {
  /// Eight bytes from a place on, or those that are left; the first one is the lowest.
  @inline(__always)
  fileprivate func word(at place: Int) -> UInt64 {
    let left = count - place
    // Safety: the bytes are within the buffer.
    if left >= MemoryLayout<UInt64>.size {
      return UInt64(littleEndian: unsafe loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
    var word: UInt64 = 0
    for byte in (place..<count).reversed() {
      word = word << UInt64(UInt8.bitWidth) | (unsafe UInt64(self[byte]))
    }
    return word
  }
}

/// The first consonants of the characters that were read last, which no sign has been between.
///
/// There are up to as many as an integer has bytes.
private struct Initials {
  /// The letters, the first one in the lowest byte.
  private var letters: UInt32 = 0
  /// A bit for each letter, the first one's the lowest: whether a word starts with its character.
  private var starts: UInt32 = 0
  private(set) var count = 0

  /// Whether a word starts with the first character.
  var startsWord: Bool { starts & 1 == 1 }

  mutating func append(_ letter: UInt8, startsWord: Bool) {
    letters |= UInt32(letter) << UInt32(count * UInt8.bitWidth)
    if startsWord { starts |= 1 << UInt32(count) }
    count += 1
  }

  mutating func removeFirst() {
    letters >>= UInt32(UInt8.bitWidth)
    starts >>= 1
    count -= 1
  }

  func append(to bytes: inout _ByteBuffer) {
    var rest = letters
    for _ in 0..<count {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= UInt32(UInt8.bitWidth)
    }
  }
}

extension Hangul {
  /// A byte for the consonant that begins a syllable, or that is written alone; nil for others.
  static func initial(of character: UInt32) -> UInt8? {
    if syllables.contains(character) {
      return letter(Int((character - syllables.lowerBound) / perFirst))
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
