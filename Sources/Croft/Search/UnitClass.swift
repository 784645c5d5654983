/// What a scalar of a folded text is to a search.
enum UnitClass: UInt8, CaseIterable {
  /// A sign, a control character, or a scalar that the table does not know.
  case separator
  /// White space.
  case space
  /// A letter, a digit or a mark: those in a row are a word.
  case word
  /// A character of a script that needs no spaces between words: it is a unit alone.
  case character

  /// The class of a scalar.
  @inline(__always)
  static func of(_ scalar: UInt32) -> UnitClass { table[scalar] }

  static let table = UnitClassTable()
}

/// The classes of all scalars: for each 256 of them the number of a page, and a page for each number.
///
/// A table lives as long as the process, so that rows take it without counting references.
@safe
struct UnitClassTable: @unchecked Sendable {
  // The pointers are to memory that is written before there is a table, and then only read.
  private let numbers: UnsafePointer<UInt16>
  private let pages: UnsafePointer<UnitClass>
  /// The page of ASCII, whose scalars are the most.
  private let ascii: UnsafePointer<UnitClass>

  init() {
    var made = Contents()
    made.add(UnitRanges.words, .word)
    made.add(UnitRanges.characters, .character)
    made.add(UnitRanges.spaces, .space)
    // Safety: each block has the size of its array, and is never freed.
    let numbers = UnsafeMutablePointer<UInt16>.allocate(capacity: made.numbers.count)
    let pages = UnsafeMutablePointer<UnitClass>.allocate(capacity: made.pages.count)
    for (place, number) in made.numbers.enumerated() { unsafe numbers[place] = number }
    for (place, value) in made.pages.enumerated() { unsafe pages[place] = value }
    unsafe self.numbers = UnsafePointer(numbers)
    unsafe self.pages = UnsafePointer(pages)
    unsafe ascii = UnsafePointer(pages + Int(numbers[0]) << 8)
  }

  /// The class of a scalar of ASCII.
  @inline(__always)
  subscript(ascii byte: UInt8) -> UnitClass {
    // Safety: a page has a class for each byte.
    unsafe ascii[Int(byte)]
  }

  @inline(__always)
  subscript(scalar: UInt32) -> UnitClass {
    guard scalar < Contents.end else { return .separator }
    // Safety: all scalars below the end have a number, and each number 256 classes.
    return unsafe pages[Int(numbers[Int(scalar >> 8)]) << 8 | Int(scalar & 0xFF)]
  }
}

/// The contents of the table while it is made.
private struct Contents {
  /// The scalars end here.
  static let end: UInt32 = 0x110000

  var numbers = [UInt16](repeating: UInt16(UnitClass.separator.rawValue), count: Int(end) >> 8)
  /// The pages; the first ones have one class each.
  var pages = UnitClass.allCases.flatMap { repeatElement($0, count: 256) }

  mutating func add(_ ranges: String, _ value: UnitClass) {
    for range in UnitRanges.scalars(ranges) {
      for page in range.lowerBound >> 8...range.upperBound >> 8 {
        let part = range.clamped(to: page << 8...page << 8 | 0xFF)
        if part.count > 0xFF {
          numbers[Int(page)] = UInt16(value.rawValue)
        } else {
          set(part, of: Int(page), to: value)
        }
      }
    }
  }

  private mutating func set(_ part: ClosedRange<UInt32>, of page: Int, to value: UnitClass) {
    if numbers[page] < UnitClass.allCases.count {
      let shared = Int(numbers[page])
      numbers[page] = UInt16(pages.count >> 8)
      pages += pages[shared << 8..<(shared + 1) << 8]
    }
    for scalar in part { pages[Int(numbers[page]) << 8 | Int(scalar & 0xFF)] = value }
  }
}
