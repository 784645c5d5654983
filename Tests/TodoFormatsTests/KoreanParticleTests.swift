import Testing

@testable import TodoFormats

@Suite struct KoreanParticleTests {
  /// `집안일으로` was printed for every name.
  @Test(arguments: [
    ("집안일", "집안일로"), ("마트", "마트로"), ("서울", "서울로"), ("이름", "이름으로"), ("부엌", "부엌으로"),
    ("3", "3으로"), ("1", "1로"), ("2", "2로"), ("집\"", "집\"으로"), ("home", "home(으)로"),
    ("\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}으로"), ("", "(으)로"),
  ])
  func aDirectionFollowsTheLastSound(text: String, expected: String) {
    #expect(text.with(.direction) == expected)
  }

  @Test func otherParticlesFollowTheLastSound() {
    #expect("우유".inQuotes(.topic) == "\"우유\"는" && "빵".inQuotes(.topic) == "\"빵\"은")
    #expect("우유".inQuotes(.object) == "\"우유\"를" && "물".inQuotes(.object) == "\"물\"을")
    #expect("우유".inQuotes(.subject) == "\"우유\"가" && "빵".inQuotes(.subject) == "\"빵\"이")
    #expect("milk".inQuotes(.topic) == "\"milk\"은(는)")
  }

  /// Issues of files had both forms after every text.
  @Test func issuesHaveTheParticleOfTheirText() {
    #expect(IssueText.unknownPriority("급함").korean == "중요도 \"급함\"을 알 수 없습니다.")
    #expect(IssueText.unknownPriority("아무거나").korean == "중요도 \"아무거나\"를 알 수 없습니다.")
    #expect(IssueText.kept("매시간", as: "반복").korean == "반복 \"매시간\"을 알 수 없어 그대로 둡니다.")
  }
}
