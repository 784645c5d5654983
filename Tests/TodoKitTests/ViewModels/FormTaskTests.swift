import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TodoKit
import TodoTestSupport

@Suite("The form of a new task")
struct FormTaskTests {
  private let repository = RecordingRepository()

  @Test func aFormShowsBothIssuesAndStoresNothing() {
    let form = Form.task(in: repository)
    #expect(form.state.visibleIssues == [] && !form.state.canSubmit)
    form.submit()
    #expect(
      form.state.visibleIssues == [
        ValidationIssue(.blank, at: .title), ValidationIssue(.required, at: .priority),
      ])
    // Mending one field takes its issue away, and no other.
    form.set(\.title, to: "우유 사기")
    #expect(form.state.visibleIssues == [ValidationIssue(.required, at: .priority)])
    form.set(\.tags, to: ["a", " "])
    #expect(
      form.state.field(\.tags).visibleIssues == [
        ValidationIssue(.blank, at: ["tags", .index(1)])
      ])
    #expect(repository.calls == [])
  }

  /// The form had no field for the recurrence: setting it trapped.
  @Test func everyPartOfADraftIsAFieldOfTheForm() throws {
    let form = Form.task(in: repository)
    let results = Recorder(form.results)
    form.set(\.title, to: "우유 사기")
    form.set(\.repeats, to: RepeatRule(words: "every fri"))
    form.set(\.hiddenUntil, to: CalendarDay("2026-06-01"))
    form.set(\.mayLackPriority, to: true)
    form.set(\.dueTime, to: nil)
    form.submit()
    let item = try #require(results.elements.first)
    #expect(item.repeats?.rawValue == "fri" && item.hiddenUntil == CalendarDay("2026-06-01"))
  }

  @Test func aSubmitStoresWhatWasEnteredOnce() throws {
    let form = Form.task(TaskDraft(title: "", groupID: nil, tags: ["집"]), in: repository)
    let results = Recorder(form.results)
    form.update {
      $0.title = " 우유 사기 "
      $0.priority = .high
    }
    #expect(form.state.isDirty && form.state.canSubmit)
    form.submit()
    let item = try #require(results.elements.first)
    #expect(item.title == "우유 사기" && item.priority == .high && item.tags == ["집"])
    #expect(try repository.item(item.id) == item && repository.count(of: .add) == 1)
    form.reset()
    #expect(form.state.draft.title == "" && form.state.visibleIssues == [])
  }

  @Test func anErrorOfTheRepositoryIsTheFormsAndItCanBeSentAgain() {
    let form = Form.task(TaskDraft(title: "milk", priority: .low), in: repository)
    let errors = Recorder(form.errors)
    let results = Recorder(form.results)
    repository.fail([.add])
    form.submit()
    #expect(errors.elements.count == 1 && results.elements.isEmpty && !form.state.isSubmitting)
    repository.fail([])
    form.submit()
    #expect(errors.elements.count == 1 && results.elements.count == 1)
  }
}
