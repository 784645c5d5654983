import Foundation
import Presentation
import Testing
import TodoKit
import TodoTestSupport

@Suite("The texts of the to-do domain")
struct MessageCatalogTodoTests {
  private let korean = MessageCatalog.todo(in: .korean)
  private let english = MessageCatalog.todo(in: .english)

  @Test func aBlankTitleIsAnsweredInBothLanguages() {
    let issue = ValidationIssue(.blank, at: .title)
    #expect(korean.message(for: issue) == "할일을 입력해주세요!")
    #expect(english.message(for: issue) == "Please enter a to-do.")
  }

  @Test func aMissingPriorityIsAnsweredInBothLanguages() {
    let issue = ValidationIssue(.required, at: .priority)
    #expect(korean.message(for: issue) == "중요도를 선택해주세요!")
    #expect(english.message(for: issue) == "Please choose a priority.")
  }

  @Test func aBlankTagIsAnsweredInBothLanguages() {
    let issue = ValidationIssue(.blank, at: ["tags", .index(2)])
    #expect(korean.message(for: issue) == "태그를 입력해주세요!")
    #expect(english.message(for: issue) == "Please enter a tag.")
  }

  @Test func anUnknownPriorityIsNamed() {
    let issue = ValidationIssue.unknownWord("urgent", at: .priority)
    #expect(english.message(for: issue) == "Unknown priority: urgent (use high, normal or low)")
    #expect(korean.message(for: issue).contains("urgent"))
  }

  /// A Korean text ended with the reason in English.
  @Test func whyThereIsNoPictureIsToldInOneLanguage() {
    let failures: [ImageFailure] = [
      .unreachable(reason: "Could not connect."), .timedOut, .status(503), .malformed,
      .notAnImage(contentType: "text/html"), .tooLarge(limitBytes: 5),
    ]
    for failure in failures {
      let error = TodoError.noImage(failure)
      #expect(english.message(for: error) == "There is no picture: \(failure)")
      let text = korean.message(for: error).replacing("text/html", with: "")
      #expect(text.hasPrefix("그림을 가져올 수 없습니다: "))
      #expect(!text.contains { ("a"..."z").contains($0) }, "\(text)")
    }
  }

  @Test func everyErrorHasATextInBothLanguages() {
    struct Cause: Error, CustomStringConvertible {
      let description = "disk full"
    }
    let errors: [(TodoError, String)] = [
      (.notFound(.numbered(1)), UUID.numbered(1).uuidString.lowercased()),
      (.duplicate(.numbered(2)), UUID.numbered(2).uuidString.lowercased()),
      (.folder(path: "/nowhere", cause: Cause()), "/nowhere (disk full)"),
      (.folder(path: "/root", cause: CocoaError(.fileWriteNoPermission)), "/root"),
      (.storage(Cause()), "disk full"),
    ]
    for (error, detail) in errors {
      let texts = [korean.message(for: error), english.message(for: error)]
      #expect(texts.allSatisfy { $0.contains(detail) })
      #expect(texts.allSatisfy { !$0.contains("todo.") && !$0.contains("{") })
      #expect(texts[0] != texts[1])
      #expect("\(error)" == texts[1])
    }
  }

  @Test func otherErrorsDescribeThemselves() {
    #expect(english.message(for: CancellationError()) == "CancellationError()")
    #expect(
      english.message(for: ValidationIssue(.blank, at: .title) as any Error)
        == "Please enter a to-do.")
  }

  @Test func whatScreensShowSaysWhatItsCauseSays() {
    for error in [TodoError.groupNotFound(.numbered(1)), .nothingToUndo] {
      #expect(PresentableError(error).code == error.code)
      let shown: any Error = PresentableError(error)
      #expect(korean.message(for: shown) == korean.message(for: error))
    }
    let issue = ValidationIssue(.blank, at: .title)
    #expect(english.message(for: PresentableError(issue)) == "Please enter a to-do.")
    let other = PresentableError(CancellationError())
    #expect(english.message(for: other) == "Something went wrong: CancellationError()")
  }

  @Test func aLanguageWithoutTextsFallsBackToEnglish() {
    let french = MessageCatalog.todo(in: Language(rawValue: "fr"))
    #expect(french.message(for: ValidationIssue(.blank, at: .title)) == "Please enter a to-do.")
  }
}
