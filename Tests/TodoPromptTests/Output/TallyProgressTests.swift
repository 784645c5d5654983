import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct TallyProgressTests {
  @Test(arguments: [
    (0, 0, "0% [---------] 0/0"), (0, 5, "0% [---------] 0/5"), (6, 9, "67% [######---] 6/9"),
    (1, 3, "33% [###------] 1/3"), (3, 3, "100% [#########] 3/3"), (1, 8, "13% [#--------] 1/8"),
    (999, 1000, "99% [########-] 999/1000"), (1, 1000, "0% [---------] 1/1000"),
  ])
  func progressIsAPercentageABarAndACount(done: Int, total: Int, text: String) {
    #expect(Tally(total: total, done: done).progressText() == text)
  }

  @Test func onlyWhatIsAllDoneLooksSo() {
    for total in 1...200 {
      for done in 0...total {
        let text = Tally(total: total, done: done).progressText()
        #expect(text.hasPrefix("100%") == (done == total))
        #expect(text.contains("[#########]") == (done == total))
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
      }
    }
  }

  @Test func otherSignsHaveTheSameLength() {
    let glyphs = Glyphs(isUnicode: true)
    #expect(Tally(total: 9, done: 6).progressText(glyphs) == "67% ▰▰▰▰▰▰▱▱▱ 6/9")
    #expect(Tally(total: 2, done: 1).progressBar(glyphs) == "▰▰▰▰▱▱▱▱▱ 50%")
    #expect(Tally(total: 2, done: 1).progressBar(Glyphs()) == "[####-----] 50%")
    #expect((glyphs.box(isDone: false), glyphs.box(isDone: true)) == ("☐", "☑"))
  }
}
