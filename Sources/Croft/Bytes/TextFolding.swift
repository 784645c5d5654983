/// Folds texts so that those which differ only in what the options ignore become equal.
///
/// What a text folds to is defined by ``folded(_:_:)``. Texts of rows take a table of scalars
/// instead, and the definition only for the words that have a scalar which the table does not know.
enum TextFolding {
  private static let composing = FoldingTable([])
  private static let caseFolding = FoldingTable(.caseInsensitive)
  private static let markDropping = FoldingTable(.diacriticInsensitive)
  private static let both = FoldingTable([.caseInsensitive, .diacriticInsensitive])
  private static let searched = FoldingTable(.forSearch)

  /// The table for some options, which is made when it is first asked for.
  private static func table(for options: TextOptions) -> FoldingTable {
    if options.contains(.forSearch) { return searched }
    return switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (false, false): composing
    case (true, false): caseFolding
    case (false, true): markDropping
    case (true, true): both
    }
  }

  /// Calls the body with the folded UTF-8 of a text, which is borrowed for the call.
  ///
  /// - Parameter count: How many folded bytes the body needs; later ones may be missing.
  /// - Complexity: O(*n*).
  @inline(__always)
  static func withFolded<R>(
    _ utf8: UnsafeRawBufferPointer, _ options: TextOptions, first count: Int = .max,
    _ body: (UnsafeRawBufferPointer) -> R
  ) -> R {
    let table = table(for: options)
    if options.isEmpty, unsafe table.isStable(utf8, first: count) { return unsafe body(utf8) }
    // Safety: the room is read while it lives, and only where it was written.
    return unsafe withUnsafeTemporaryAllocation(
      byteCount: FoldingTable.roomNeeded(by: utf8.count), alignment: 8
    ) { room in
      if let written = unsafe table.fold(utf8, first: count, into: room) {
        return unsafe body(UnsafeRawBufferPointer(rebasing: room[..<written]))
      }
      var folded = unsafe folded(String(decoding: utf8, as: UTF8.self), options)
      return folded.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
    }
  }
}

// MARK: - The definition

extension TextFolding {
  /// The text in normalisation form C, folded by the options.
  static func folded(_ text: String, _ options: TextOptions) -> String {
    if options.contains(.forSearch) { return SearchFolding.folded(text) }
    var folded = text
    if options.contains(.diacriticInsensitive) { folded = withoutMarks(folded) }
    return options.contains(.caseInsensitive)
      ? TextKey.caseFolded(folded) : TextKey.canonicalComposition(of: folded)
  }

  /// The text without the marks of Unicode's blocks of combining diacritical marks.
  static func withoutMarks(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var rest = ""
    for scalar in TextKey.canonicalDecomposition(of: text)
    where !isMark(scalar) { rest.unicodeScalars.append(scalar) }
    return rest
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }
}

/// What each stable scalar folds to under some options, found by the bytes of its UTF-8.
///
/// It is a table of two stages, as is usual for properties of scalars: the leading bytes give a page,
/// the last byte an entry of the page. A scalar that it does not know is folded with the word that it
/// belongs to, by the definition: from the last stable scalar before it to the next blank.
///
/// A table lives as long as the process, so that rows take it without counting references.
@safe
struct FoldingTable: @unchecked Sendable {
  // The pointers are to memory that is written before there is a table, and then only read.
  private let pages: UnsafePointer<UInt8>
  private let entries: UnsafePointer<Entry>
  private let letters: UnsafePointer<Entry>
  private let options: TextOptions

  /// What a stable scalar folds to: bytes, the first one lowest, and in the highest byte their number.
  ///
  /// Zero for a scalar that the table does not know.
  fileprivate typealias Entry = UInt64

  /// The entry of a scalar that vanishes: no bytes, and not that of an unknown one.
  fileprivate static let vanishing: Entry = 1

  /// Makes the table, by folding each scalar of the mapped ranges.
  init(_ options: TextOptions) {
    let made = Contents(options)
    // Safety: each block has the size of its array, and is never freed.
    let pages = UnsafeMutablePointer<UInt8>.allocate(capacity: made.pages.count)
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: made.entries.count)
    let letters = UnsafeMutablePointer<Entry>.allocate(capacity: made.letters.count)
    for (place, page) in made.pages.enumerated() { unsafe pages[place] = page }
    for (place, entry) in made.entries.enumerated() { unsafe entries[place] = entry }
    for (place, entry) in made.letters.enumerated() { unsafe letters[place] = entry }
    unsafe self.pages = UnsafePointer(pages)
    unsafe self.entries = UnsafePointer(entries)
    unsafe self.letters = UnsafePointer(letters)
    self.options = options
  }
}

/// The contents of a table while it is made.
private struct Contents {
  typealias Entry = FoldingTable.Entry

  let options: TextOptions
  /// The page of each 64 scalars.
  var pages = [UInt8](repeating: unknownPage, count: pageCount)
  /// The entries of the pages, 64 for each.
  var entries = [Entry](repeating: 0, count: 2 << 6)
  /// What an ASCII letter and a mark of U+0300 to U+033F fold to together: 64 entries for each mark.
  var letters = [Entry](repeating: 0, count: 64 << 6)

  /// The planes of which the table knows scalars end here.
  static let pageCount = 0x30000 >> 6
  /// The page of which the table knows no scalar.
  static let unknownPage: UInt8 = 0
  /// The page whose scalars all fold to themselves.
  static let unchangedPage: UInt8 = 1

  init(_ options: TextOptions) {
    self.options = options
    for range in StableScalars.unchanged { addUnchanged(range) }
    for range in StableScalars.mapped {
      if options.isEmpty { addUnchanged(range) } else { addMapped(range) }
    }
    if options.contains(.forSearch) { addReplaced() }
    for range in StableScalars.accented { addLetters(range) }
  }

  private mutating func addUnchanged(_ range: ClosedRange<UInt32>) {
    for page in range.lowerBound >> 6...range.upperBound >> 6 {
      let scalars = page << 6...page << 6 | 0x3F
      if range.contains(scalars.lowerBound), range.contains(scalars.upperBound) {
        pages[Int(page)] = Self.unchangedPage
      } else {
        for value in range.clamped(to: scalars) {
          if let scalar = Unicode.Scalar(value) { set(scalar, to: String(scalar)) }
        }
      }
    }
  }

  private mutating func addMapped(_ range: ClosedRange<UInt32>) {
    for scalar in range.lazy.compactMap(Unicode.Scalar.init) {
      let text = String(scalar)
      let mayChange =
        options.contains(.diacriticInsensitive) || scalar.properties.changesWhenCaseFolded
      let folded = mayChange ? TextFolding.folded(text, options) : text
      // More bytes than there is room for are left to the definition.
      if folded.utf8.count <= FoldingTable.longest(from: text.utf8.count) {
        set(scalar, to: folded)
      }
    }
  }

  /// Adds what a search replaces: stable scalars, and those that vanish wherever they are.
  private mutating func addReplaced() {
    let replaced = [SearchFolding.replacements, SearchFolding.letters].joined()
    for scalar in replaced.map(\.key) where scalar.value < UInt32(Self.pageCount << 6) {
      let folded = TextFolding.folded(String(scalar), options)
      if folded.isEmpty || StableScalars.unchanged.contains(where: { $0.contains(scalar.value) }) {
        set(scalar, to: folded)
      }
    }
    // They compose with the kana before them.
    for mark: Unicode.Scalar in ["\u{FF9E}", "\u{FF9F}"] {
      entries[Int(pages[Int(mark.value >> 6)]) << 6 | Int(mark.value & 0x3F)] = 0
    }
  }

  private mutating func addLetters(_ range: ClosedRange<UInt32>) {
    for scalar in range.lazy.compactMap(Unicode.Scalar.init) {
      let parts = Array(TextKey.canonicalDecomposition(of: String(scalar)))
      guard parts.count == 2, parts[0].isASCII, 0x300...0x33F ~= parts[1].value else { continue }
      let page = pages[Int(scalar.value >> 6)]
      letters[Int(parts[1].value & 0x3F) << 6 | Int(parts[0].value & 0x3F)] =
        page == Self.unchangedPage
        ? Self.entry(String(scalar).utf8) : entries[Int(page) << 6 | Int(scalar.value & 0x3F)]
    }
  }

  private static func entry(_ utf8: String.UTF8View) -> Entry {
    if utf8.isEmpty { return FoldingTable.vanishing }
    return utf8.reversed().reduce(0) { $0 << 8 | Entry($1) } | Entry(utf8.count) << 56
  }

  private mutating func set(_ scalar: Unicode.Scalar, to folded: String) {
    let page = Int(scalar.value >> 6)
    if pages[page] <= Self.unchangedPage {
      let isUnknown = pages[page] == Self.unknownPage
      pages[page] = UInt8(entries.count >> 6)
      for other in scalar.value & ~0x3F...scalar.value | 0x3F {
        let other = isUnknown ? nil : Unicode.Scalar(other)
        entries.append(other.map { Self.entry(String($0).utf8) } ?? 0)
      }
    }
    entries[Int(pages[page]) << 6 | Int(scalar.value & 0x3F)] = Self.entry(folded.utf8)
  }
}

// MARK: - Folding

extension FoldingTable {
  /// The most bytes that a scalar of some bytes folds to: twice as many, if an entry holds them.
  static func longest(from count: Int) -> Int { min(2 * count, MemoryLayout<Entry>.size - 1) }

  /// The room that ``fold(_:first:into:)`` needs for a text of some bytes.
  static func roomNeeded(by count: Int) -> Int { 2 * count + MemoryLayout<Entry>.size }

  /// Whether the table knows the scalars at a text's beginning, and the one after them.
  ///
  /// - Parameter count: The bytes of the beginning; more than the text has for all of it.
  func isStable(_ text: UnsafeRawBufferPointer, first count: Int) -> Bool {
    var place = 0
    while place < text.count {
      let start = place
      if unsafe text[place] < 0x80 {
        place &+= unsafe text.count &- place >= 8 ? text.asciiWord(at: place).count : 1
      } else {
        let (entry, length) = unsafe lookUp(text, place)
        if entry == 0 { return false }
        place &+= length
      }
      if start >= count { return true }
    }
    return true
  }

  /// Folds a text.
  ///
  /// - Parameters:
  ///   - text: The text's UTF-8.
  ///   - count: How many folded bytes are needed; ``Int/max`` for all.
  ///   - room: At least the bytes of ``roomNeeded(by:)``.
  /// - Returns: The number of bytes written, which are the first of the folded text; nil where
  ///   the room is too small.
  func fold(
    _ text: UnsafeRawBufferPointer, first count: Int, into room: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard let base = room.baseAddress else { return nil }
    let foldsCase = options.contains(.caseInsensitive)
    var (read, written) = (0, 0)
    // Where the last scalar starts, and where what it folded to.
    var last = (read: 0, written: 0)
    // Safety: the room that is left is always enough for the rest of the text, because a scalar folds
    // to twice its bytes at most, and a word folded by the definition leaves as much.
    while read < text.count, last.written < count {
      let lead = unsafe text[read]
      if lead < 0x80 {
        var (word, length) = (Entry(lead), 1)
        if text.count &- read >= 8 { (word, length) = unsafe text.asciiWord(at: read) }
        unsafe base.store(foldsCase ? word.lowercasedASCII : word, at: written)
        last = (read &+ length &- 1, written &+ length &- 1)
        read &+= length
        written &+= length
        continue
      }
      let (entry, length) = unsafe lookUp(text, read)
      if entry != 0 {
        unsafe base.store(entry, at: written)
        // What follows may compose with the scalar before one that vanishes.
        if entry != Self.vanishing { last = (read, written) }
        read &+= length
        written &+= Int(entry >> 56)
        continue
      }
      if let composed = unsafe composition(in: text, at: read, after: last.read) {
        if composed.start < read { written = last.written }
        unsafe base.store(composed.entry, at: written)
        last = (composed.start, written)
        read = composed.end
        written &+= Int(composed.entry >> 56)
        continue
      }
      while read < text.count, unsafe text[read] != 0x20 { read += 1 }
      let end = room.count - Self.roomNeeded(by: text.count - read)
      guard
        let added = unsafe foldByDefinition(
          UnsafeRawBufferPointer(rebasing: text[last.read..<read]),
          into: UnsafeMutableRawBufferPointer(rebasing: room[last.written..<end]))
      else { return nil }
      written = last.written + added
    }
    return written
  }

  /// Folds a part of a text by the definition; the number of bytes, or nil where they do not fit.
  @inline(never)
  private func foldByDefinition(
    _ part: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) -> Int? {
    var folded = unsafe TextFolding.folded(String(decoding: part, as: UTF8.self), options)
    // Safety: the bytes are copied while the text lives, and only where they fit.
    return folded.withUTF8 { utf8 in
      guard utf8.count <= room.count else { return nil }
      unsafe room.copyBytes(from: utf8)
      return utf8.count
    }
  }

  /// What a letter and a mark at a place compose, or the jamo there: the common forms of texts in
  /// normalisation form D.
  ///
  /// - Parameter last: Where the scalar before the place starts.
  /// - Returns: What they fold to, and where they start and end; nil where the table does not know
  ///   them.
  @inline(never)
  private func composition(
    in text: UnsafeRawBufferPointer, at place: Int, after last: Int
  ) -> (entry: Entry, start: Int, end: Int)? {
    let composed: (entry: Entry, start: Int, end: Int)
    if unsafe text[place] == 0xCC, place + 1 < text.count, last == place - 1 {
      let (letter, mark) = unsafe (text[last], text[place + 1])
      guard letter >= 0x40, letter < 0x80, mark ^ 0x80 < 0x40 else { return nil }
      let entry = unsafe letters[Int(mark & 0x3F) << 6 | Int(letter & 0x3F)]
      composed = (entry, last, place + 2)
    } else {
      guard let first = unsafe jamo(text, place, .first),
        let vowel = unsafe jamo(text, place + 3, .vowel)
      else { return nil }
      let final = unsafe jamo(text, place + 6, .final)
      let syllable = 0xAC00 + (first * 21 + vowel) * 28 + (final.map { $0 + 1 } ?? 0)
      composed = (Self.entry(ofSyllable: syllable), place, place + (final == nil ? 6 : 9))
    }
    return composed.entry == 0 ? nil : composed
  }

  /// Where a syllable has a jamo.
  private enum JamoPlace {
    case first, vowel, final
  }

  /// The number of the jamo at a place of a text; nil where there is none of its kind.
  private func jamo(
    _ text: UnsafeRawBufferPointer, _ place: Int, _ kind: JamoPlace
  ) -> UInt32? {
    guard place + 2 < text.count, unsafe text[place] == 0xE1 else { return nil }
    let (second, third) = unsafe (text[place + 1], text[place + 2])
    guard second ^ 0x80 < 0x40, third ^ 0x80 < 0x40 else { return nil }
    let scalar = 0x1000 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F)
    return switch kind {
    case .first: 0x1100...0x1112 ~= scalar ? scalar - 0x1100 : nil
    case .vowel: 0x1161...0x1175 ~= scalar ? scalar - 0x1161 : nil
    case .final: 0x11A8...0x11C2 ~= scalar ? scalar - 0x11A8 : nil
    }
  }

  /// The entry of a syllable of Hangul, which folds to itself under all options.
  private static func entry(ofSyllable scalar: UInt32) -> Entry {
    let lead = Entry(0xE0 | scalar >> 12)
    let (second, third) = (Entry(0x80 | scalar >> 6 & 0x3F), Entry(0x80 | scalar & 0x3F))
    return lead | second << 8 | third << 16 | 3 << 56
  }

  /// The entry of the scalar of several bytes that starts at a place, and how long it is.
  ///
  /// The entry is zero for bytes that are not a scalar.
  @inline(__always)
  private func lookUp(_ text: UnsafeRawBufferPointer, _ place: Int) -> (entry: Entry, length: Int) {
    let left = text.count &- place
    let lead = unsafe text[place]
    if lead >= 0xE0, lead < 0xF0, left >= 3 {
      let (second, third) = unsafe (text[place &+ 1], text[place &+ 2])
      let page = Int(lead & 0x0F) << 6 | Int(second & 0x3F)
      // A page below 32 would be an overlong form.
      guard (second ^ 0x80) | (third ^ 0x80) < 0x40, page >= 32 else { return (0, 3) }
      return entry(page, Entry(lead) | Entry(second) << 8 | Entry(third) << 16, 3)
    }
    if lead >= 0xC2, lead < 0xE0, left >= 2 {
      let second = unsafe text[place &+ 1]
      guard second ^ 0x80 < 0x40 else { return (0, 2) }
      return entry(Int(lead & 0x1F), Entry(lead) | Entry(second) << 8, 2)
    }
    guard lead >= 0xF0, lead < 0xF8, left >= 4 else { return (0, 1) }
    let (second, third, fourth) = unsafe (text[place &+ 1], text[place &+ 2], text[place &+ 3])
    let page = Int(lead & 0x07) << 12 | Int(second & 0x3F) << 6 | Int(third & 0x3F)
    guard (second ^ 0x80) | (third ^ 0x80) | (fourth ^ 0x80) < 0x40, page >= 1024,
      page < Contents.pageCount
    else { return (0, 4) }
    let bytes = Entry(lead) | Entry(second) << 8 | Entry(third) << 16 | Entry(fourth) << 24
    return entry(page, bytes, 4)
  }

  /// The entry of a scalar of a page, by its bytes.
  @inline(__always)
  private func entry(_ page: Int, _ bytes: Entry, _ length: Int) -> (entry: Entry, length: Int) {
    // Safety: the table has all pages, and 64 entries for each number of a page.
    let number = unsafe pages[page]
    if number == Contents.unchangedPage { return (bytes | Entry(length) << 56, length) }
    let last = Int(bytes >> (8 &* Entry(length &- 1)) & 0x3F)
    return (unsafe entries[Int(number) << 6 | last], length)
  }
}

extension UnsafeRawBufferPointer {
  /// Eight bytes from a place on, and how many of them are ASCII before the first that is not.
  @inline(__always)
  fileprivate func asciiWord(at place: Int) -> (word: UInt64, count: Int) {
    // Safety: the caller has eight bytes there.
    let word = UInt64(
      littleEndian: unsafe loadUnaligned(fromByteOffset: place, as: UInt64.self))
    return (word, (word & 0x8080_8080_8080_8080).trailingZeroBitCount >> 3)
  }
}

extension UnsafeMutableRawPointer {
  /// Stores eight bytes, the lowest first.
  @inline(__always)
  fileprivate func store(_ word: UInt64, at offset: Int) {
    // Safety: the caller has room for eight bytes there.
    unsafe storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
  }
}

extension UInt64 {
  /// The eight bytes, with the ASCII capitals among them in lower case.
  @inline(__always)
  fileprivate var lowercasedASCII: UInt64 {
    let each: UInt64 = 0x0101_0101_0101_0101
    // No byte below 0x80 carries into the next when less than 0x80 is added.
    let bytes = self & (0x7F * each)
    let fromA = bytes &+ (0x80 - 0x41) * each
    let behindZ = bytes &+ (0x80 - 0x5B) * each
    return self | (fromA & ~behindZ & ~self & (0x80 * each)) >> 2
  }
}
