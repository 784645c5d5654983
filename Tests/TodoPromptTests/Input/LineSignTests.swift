import LineEditing
import Testing
import TodoKit
import TodoTestSupport

@testable import TodoPrompt

@Suite struct LineSignTests {
  /// Korean signs were known to `add` alone, or to nothing: they became titles in silence.
  @Test(arguments: [
    ("due:fri", LineSign.due, "fri"), ("마감:내일", .due, "내일"), ("기한:내일", .due, "내일"),
    ("every:week", .repeats, "week"), ("반복:매일", .repeats, "매일"), ("매주:토", .repeats, "매주 토"),
    ("매월:15일", .repeats, "매월 15일"), ("wait:mon", .wait, "mon"), ("숨김:월", .wait, "월"),
    ("est:2h", .estimate, "2h"), ("예상:2시간", .estimate, "2시간"), ("@집", .group, "집"),
    ("#장보기", .tag, "장보기"), ("!높음", .priority, "높음"),
    ("is:지남", .state, "지남"), ("상태:완료", .state, "완료"), ("이전:금", .before, "금"),
  ])
  func aWordWithASignIsRead(word: String, sign: LineSign, text: String) throws {
    let signed = try #require(SignedWord(word))
    #expect(signed.sign == sign && signed.text == text)
    #expect(SignedWord(signed.spelling) == nil)
    let styles = LineStyles.styles(of: "add \(word)")
    #expect(styles.last != .some(nil), "\(word) has a colour")
  }

  @Test func aTextInQuotesFollowsEverySignThatTakesOne() {
    for spelling in LineSign.quotableSpellings {
      #expect(LineTokenizer("x \(spelling)\"a b\"").words == ["x", spelling + "a b"])
    }
  }

  @Test func koreanSignsNarrowListsAndAreCompleted() throws {
    #expect(try SearchTerm("마감:내일") == .signed(.due, "내일"))
    #expect(try SearchTerm("기한:내일") == .signed(.due, "내일"))
    #expect(Completion(of: "add x 마감:내").insertion == "일 ")
    #expect(Completion(of: "add x 반복:평").insertion == "일 ")
    #expect(Completion(of: "ls is:지").insertion == "남 ")
  }

  /// Enter on a line that `edit` showed made a due day of a title's `마감:`, and one blank of two.
  @Test(arguments: [
    "plain words", "마감:내일 보고서", "반복:x", "매주:토 x", "wait:mon x", "two  blanks", " \t", "tab\tx",
    "\"quoted\"", "it's", "a \\ b", "-x", "@a #b !h", "긴\u{3000}빈칸", "due:fri", "every:day",
    "\\", "a\\", "# heading", "#", "완료:\"보고서\" 확인", "since:\"x", "before:'a b' c",
  ])
  func anItemThatIsShownAsALineReadsBackAsItself(title: String) throws {
    var item = TodoItem.numbered(1, title: title, priority: .low)
    item.due = CalendarDay("2026-06-01")
    item.dueTime = TimeOfDay("14:30")
    item.repeats = RepeatRule(rawValue: "2 months on 31")
    item.hiddenUntil = CalendarDay("2026-05-01")
    item.estimate = Estimate("1h30m")
    item.tags = ["a b", "c\"d", "e'f", "g\\h"]
    let line = EditCommand.line(of: item, group: "my \"home\"")
    let parsed = try Grammar.parse(LineTokenizer("add " + line).completeWords())
    let command = try #require(parsed.command as? AddCommand)
    let draft = try command.draft(in: nil, clock: TestTerminal.clock)
    #expect(draft.title == title, "\(line)")
    #expect(command.group == "my \"home\"" && draft.tags == item.tags)
    #expect(draft.due == item.due && draft.dueTime == item.dueTime)
    #expect(draft.repeats == item.repeats && draft.hiddenUntil == item.hiddenUntil)
    #expect(draft.priority == .low && draft.estimate == item.estimate)
  }

  /// `@my home` was printed without quotes although answers are written as they are typed.
  @Test func whatAnswersShowIsReadBack() throws {
    var item = TodoItem.numbered(1, title: "x")
    item.tags = ["two words", "a\"b"]
    item.repeats = RepeatRule(rawValue: "mon,wed")
    item.estimate = Estimate("2h30m")
    item.hiddenUntil = CalendarDay("2026-05-01")
    let extras = ItemExtras(of: item, group: "my home").plainText
    #expect(
      extras.english == #"every:mon,wed wait:2026-05-01 est:2h30m @"my home" #"two words" #"a\"b""#)
    #expect(
      extras.korean == #"반복:"매주 월수" 숨김:2026-05-01 예상:2시간30분 @"my home" #"two words" #"a\"b""#)
    for text in [extras.english, extras.korean] {
      let parsed = try Grammar.parse(["add", "x"] + LineTokenizer(text).completeWords())
      let command = try #require(parsed.command as? AddCommand)
      let draft = try command.draft(in: nil, clock: TestTerminal.clock)
      #expect(draft.repeats == item.repeats && draft.tags == item.tags)
      #expect(command.group == "my home" && draft.hiddenUntil == item.hiddenUntil)
    }
  }
}
