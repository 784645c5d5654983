import Foundation
import Presentation
import Testing
import TodoKit
import TodoTestSupport

/// The rules for new groups.
@Suite("Validator, groups")
struct ValidatorGroupTests {
  private let image = GroupImage(bytes: Data([1]), mimeType: "image/png")

  @Test func aNewGroupNeedsAPictureANameAndAnItem() {
    let validated = Validator.group.validate(GroupDraft(name: " \u{3000}"))
    #expect(
      validated.issues == [
        ValidationIssue(.required, at: .image), ValidationIssue(.blank, at: .name),
        ValidationIssue(.tooShort, at: .items, params: ["limit": .integer(1)]),
      ])
    let messages = MessageCatalog.todo(in: .english)
    #expect(
      validated.issues.map { messages.message(for: $0) } == [
        "Please choose a picture.", "Please enter a name for the group.",
        "Please enter at least one to-do.",
      ])
  }

  @Test func aTitleThatIsBlankIsFoundAtItsPlace() {
    let draft = GroupDraft(name: "Home", image: image, titles: ["Sweep", " ", "Wash", ""])
    let issues = Validator.group.validate(draft).issues
    #expect(issues.map { "\($0.path)" } == ["items[1].title", "items[3].title"])
    let messages = MessageCatalog.todo(in: .korean)
    #expect(issues.map { messages.message(for: $0) }.allSatisfy { $0 == "할일을 입력해주세요!" })
  }

  @Test func theNameOfAListThatIsNoGroupIsRefusedWithItsName() {
    for name in ["Important", " important", "중요"] {
      let draft = GroupDraft(name: name, image: image, titles: ["x"])
      let issue = Validator.group.validate(draft).firstError
      #expect(issue?.code == .reservedName && issue?.path == .name)
    }
  }

  @Test func aBlankNameIsToldInBothLanguages() {
    let issue = Validator.groupName.at(.name).validate(" \u{3000}").firstError
    #expect(issue == ValidationIssue(.blank, at: .name))
    let texts = [Language.korean, .english].map { language in
      issue.map { MessageCatalog.todo(in: language).message(for: $0) }
    }
    #expect(texts == ["그룹 이름을 입력해주세요!", "Please enter a name for the group."])
  }

  @Test func whatIsAcceptedIsTrimmedAndComplete() throws {
    let color = try #require(RGBA("#123456"))
    let draft = GroupDraft(name: " Home ", color: color, image: image, titles: [" Sweep "])
    guard case .valid(let accepted, _) = Validator.group.validate(draft) else {
      Issue.record("a good draft was refused")
      return
    }
    #expect(accepted.group.name == "Home" && accepted.group.color == color)
    #expect(accepted.group.image == image && accepted.titles == ["Sweep"])
  }

  @Test func aNameAloneIsEnoughWhereTheFormIsNotAsked() throws {
    let accepted = try Validator.namedGroup.validate(GroupDraft(name: " Home ")).get()
    #expect(accepted.group.name == "Home" && accepted.group.image == nil && accepted.titles == [])
    let blank = GroupDraft(name: " ", titles: ["Sweep", " "])
    let issues = Validator.namedGroup.validate(blank).issues
    #expect(issues.map(\.path) == [.name, ["items", 1, "title"]])
  }
}
