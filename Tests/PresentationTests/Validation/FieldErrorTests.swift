import Presentation
import Reactive
import ReactiveTestSupport
import Testing

/// What a repository of names may answer.
private enum NameError: FieldError {
  case taken, lost

  var validationIssues: [ValidationIssue] {
    switch self {
    case .taken:
      [ValidationIssue(.notUnique, at: "first"), ValidationIssue(.notUnique, at: "last")]
    case .lost: []
    }
  }
}

private struct Name: Equatable, Sendable {
  var first = "Ada"
  var last = "Byron"
}

@Suite("FieldError", .accounted)
struct FieldErrorTests {
  private let bag = DisposeBag()

  private func form(_ answer: Observable<Void>) -> Form<Name, Void> {
    Form(
      Name(), fields: [FormField(\.first, at: "first"), FormField(\.last, at: "last")],
      rule: Validator<Name, Name>.transform { $0 }
    ) { _ in answer }
  }

  @Test func allIssuesOfAnErrorAreShownAtTheirFields() {
    let form = form(.error(NameError.taken))
    let errors = form.errors.recorded(in: bag)
    form.submit()
    #expect(form.state.field(\.first).visibleIssues.map(\.path) == ["first"])
    #expect(form.state.field(\.last).visibleIssues.map(\.path) == ["last"])
    #expect(errors.elements.isEmpty)
  }

  @Test func anIssueIsNotShownAtAFieldThatChangedMeanwhile() {
    let answer = PublishSubject<Void>()
    let form = form(answer)
    form.submit()
    form.set(\.last, to: "Lovelace")
    answer.onError(NameError.taken)
    #expect(form.state.visibleIssues.map(\.path) == ["first"])
  }

  @Test func anErrorWithoutIssuesIsEmitted() {
    let form = form(.error(NameError.lost))
    let errors = form.errors.recorded(in: bag)
    form.submit()
    #expect(form.state.visibleIssues.isEmpty)
    #expect(errors.elements.map(\.code) == [.unexpected])
  }

  @Test func itIsPresentedByItsFirstIssue() {
    let error = PresentableError(NameError.taken)
    #expect(error.code == .notUnique && error.path == "first" && error.cause is NameError)
    #expect(PresentableError(NameError.lost).code == .unexpected)
  }
}
