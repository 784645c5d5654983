@testable import Croft

/// What an input method shows while the keys of a two-set keyboard are typed.
struct TypedKeys {
  private var done = ""
  private var first: Int?
  private var middle: Int?
  private var last = 0

  /// The states on the way to a word, from its first key to all of it.
  static func states(of word: String) -> [String] {
    var typed = TypedKeys()
    return word.hangulLetters.map { key in
      typed.press(String(key))
      return typed.shown
    }
  }

  /// What is shown after the keys so far.
  var shown: String {
    guard let first else { return done }
    guard let middle else { return done + Hangul.first[first] }
    return done + (Unicode.Scalar(Hangul.syllable(first, middle, last)).map { String($0) } ?? "")
  }

  private mutating func press(_ key: String) {
    if let middle {
      let longer = last == 0 ? Hangul.middle.firstIndex(of: Hangul.middle[middle] + key) : nil
      if let longer {
        self.middle = longer
      } else if let longer = Hangul.last.firstIndex(of: Hangul.last[last] + key) {
        last = longer
      } else if let vowel = Hangul.middle.firstIndex(of: key) {
        moveLast(before: vowel)
      } else {
        begin(Hangul.first.firstIndex(of: key))
      }
    } else if first != nil, let vowel = Hangul.middle.firstIndex(of: key) {
      middle = vowel
    } else {
      begin(Hangul.first.firstIndex(of: key))
    }
  }

  /// Begins a syllable with a consonant.
  private mutating func begin(_ consonant: Int?) {
    done = shown
    (first, middle, last) = (consonant, nil, 0)
  }

  /// Begins a syllable with the last consonant of the one before, because a vowel follows it.
  private mutating func moveLast(before vowel: Int) {
    var keys = Hangul.last[last]
    let moved = String(keys.removeLast())
    last = Hangul.last.firstIndex(of: keys) ?? 0
    begin(Hangul.first.firstIndex(of: moved))
    middle = vowel
  }
}
