import Croft
import Foundation
import Testing

@Suite struct HangulLettersTests {
  @Test(arguments: [
    ("하늘", "ㅎㅏㄴㅡㄹ", "ㅎㄴ"), ("닭갈비 Bar", "ㄷㅏㄹㄱㄱㅏㄹㅂㅣ bar", "ㄷㄱㅂ bar"),
    ("괜찮아", "ㄱㅗㅐㄴㅊㅏㄴㅎㅇㅏ", "ㄱㅊㅇ"), ("가힣", "ㄱㅏㅎㅣㅎ", "ㄱㅎ"), ("ㅋㅋ", "ㅋㅋ", "ㅋㅋ"),
    ("É 1", "é 1", "é 1"), ("", "", ""),
  ])
  func aSyllableIsItsLettersOrItsFirst(text: String, letters: String, initials: String) {
    for form in [
      text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping,
    ] {
      #expect(Array(form.hangulLetters.utf8) == Array(letters.utf8))
      #expect(Array(form.hangulInitials.utf8) == Array(initials.utf8))
      #expect(form[...].hangulLetters == letters)
    }
  }
}
