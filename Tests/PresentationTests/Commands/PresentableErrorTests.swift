import Presentation
import Testing

@Suite("PresentableError")
struct PresentableErrorTests {
  private struct Locked: CodedError {
    var code: ValidationIssue.Code { "store.locked" }
    var params: [String: ValidationIssue.Value] { ["by": .text("web")] }
  }

  @Test func anErrorWithACodeIsShownByIt() {
    let error = PresentableError(Locked())
    #expect(error.code == "store.locked" && error.params == ["by": .text("web")])
    #expect(error.cause is Locked)
  }

  @Test func anErrorWithoutACodeIsUnexpectedAndSaysItsReason() {
    let error = PresentableError(Refusal.full)
    #expect(error.code == .unexpected && error.params == ["reason": .text("full")])
    #expect(error.cause is Refusal)
  }

  @Test func anIssueKeepsItsPlace() {
    let error = PresentableError(ValidationIssue(.blank, at: "name"))
    #expect(error.code == .blank && error.path == "name")
  }

  @Test func wrappingTwiceIsWrappingOnce() {
    let error = PresentableError(PresentableError(Locked()))
    #expect(error.cause is Locked)
  }

  @Test func textsAreLookedUpWhenTheErrorIsShown() {
    let error = PresentableError(Refusal.full)
    #expect(
      MessageCatalog.standard(in: .korean).message(for: error) == "문제가 발생했습니다: full")
    #expect(
      MessageCatalog.standard(in: .english).message(for: error) == "Something went wrong: full")
  }
}
