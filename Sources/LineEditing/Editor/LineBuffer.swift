/// A line while it is edited: the text before the cursor and the text after it.
///
/// The cursor is always between two characters (grapheme clusters).
struct LineBuffer: Equatable {
  private(set) var before: String
  private(set) var after: String

  init(_ before: String = "", _ after: String = "") {
    self.before = before
    self.after = after
    joinAtCursor()
  }

  var text: String { before + after }
  var isEmpty: Bool { before.isEmpty && after.isEmpty }

  mutating func insert(_ text: String) {
    before += text
    joinAtCursor()
  }

  /// A mark that was typed may make one character with what is after the cursor.
  private mutating func joinAtCursor() {
    while let left = before.last, let right = after.first,
      (String(left) + String(right)).first != left
    {
      before.append(after.removeFirst())
    }
  }

  mutating func moveLeft() {
    guard let character = before.popLast() else { return }
    after.insert(character, at: after.startIndex)
  }

  mutating func moveRight() {
    if !after.isEmpty { before.append(after.removeFirst()) }
  }

  mutating func moveToStart() { self = LineBuffer("", text) }
  mutating func moveToEnd() { self = LineBuffer(text) }

  mutating func moveWordRight() { for _ in 0..<wordRightCount { moveRight() } }

  mutating func moveWordLeft() { for _ in 0..<wordLeftCount { moveLeft() } }

  /// Removes characters before the cursor, and returns them.
  mutating func removeBefore(_ count: Int) -> String {
    let removed = String(before.suffix(count))
    before.removeLast(min(count, before.count))
    joinAtCursor()
    return removed
  }

  /// Removes characters after the cursor, and returns them.
  mutating func removeAfter(_ count: Int) -> String {
    let removed = String(after.prefix(count))
    after.removeFirst(min(count, after.count))
    joinAtCursor()
    return removed
  }

  /// Swaps the two characters around the cursor, or the last two at the end of the line.
  mutating func transpose() -> Bool {
    if after.isEmpty { moveLeft() }
    guard let left = before.last, let right = after.first else {
      moveRight()
      return false
    }
    before.removeLast()
    after.removeFirst()
    before += String(right) + String(left)
    joinAtCursor()
    return true
  }

  /// How many characters there are to the end of the word at the cursor, or of the next one.
  var wordRightCount: Int {
    let gap = after.prefix { !$0.isWordPart }
    return gap.count + after[gap.endIndex...].prefix(while: \.isWordPart).count
  }

  /// How many characters there are to the start of the word at the cursor, or of the one before.
  var wordLeftCount: Int {
    let reversed = before.reversed()
    let gap = reversed.prefix { !$0.isWordPart }.count
    return gap + reversed.dropFirst(gap).prefix(while: \.isWordPart).count
  }

  /// How many characters there are back to white space, with the white space before the cursor.
  var blankWordLeftCount: Int {
    let reversed = before.reversed()
    let gap = reversed.prefix(while: \.isWhitespace).count
    return gap + reversed.dropFirst(gap).prefix { !$0.isWhitespace }.count
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber }
}
