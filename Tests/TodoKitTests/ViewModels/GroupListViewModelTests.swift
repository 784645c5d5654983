import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TodoKit
import TodoTestSupport

@Suite("GroupListViewModel")
struct GroupListViewModelTests {
  /// A view model with its inputs, all of whose outputs are recorded.
  private struct Screen {
    let actions = PublishSubject<TodoAction>()
    let deletions = PublishSubject<UUID>()
    let groups: Recorder<[GroupSummary]>
    let isEmpty: Recorder<Bool>
    let changed: Recorder<CommandResult>
    let questions: Recorder<PendingDeletion>
    let issues: Recorder<ValidationIssue>
    let errors: Recorder<any Error>

    init(_ repository: any TodoRepository) {
      let output = GroupListViewModel(repository: repository)
        .transform(input: .init(actions: actions, deletions: deletions))
      groups = Recorder(output.groups)
      isEmpty = Recorder(output.isEmpty)
      changed = Recorder(output.changed)
      questions = Recorder(output.question)
      issues = Recorder(output.validationError)
      errors = Recorder(output.storageError)
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func groupsAreMadeChangedAndMoved(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let screen = Screen(repository)
    #expect(screen.groups.elements == [[]] && screen.isEmpty.elements == [true])
    screen.actions.onNext(.addGroup(GroupDraft(name: " 집안일 ")))
    screen.actions.onNext(.addGroup(GroupDraft(name: "집안일")))
    #expect(screen.changed.elements.map { $0.groups.map(\.name) } == [["집안일"], ["집안일 (1)"]])
    let (first, second) = (
      screen.changed.elements[0].groups[0], screen.changed.elements[1].groups[0]
    )
    screen.actions.onNext(.editGroup(first.id, GroupPatch(color: .gray), ifStill: first))
    screen.actions.onNext(.moveGroup(second.id, to: .first))
    screen.actions.onNext(.moveGroup(second.id, to: .first))
    #expect(screen.changed.elements.dropFirst(3).map(\.isNoOp) == [false, true])
    screen.groups.wait { $0.last?.map(\.group.name) == ["집안일 (1)", "집안일"] }
    screen.isEmpty.wait { $0 == [true, false] }
    #expect(screen.issues.elements == [] && screen.errors.elements.isEmpty)
  }

  @Test(arguments: RepositoryKind.allCases)
  func eachRefusalIsOneIssueOrOneErrorAndTheStreamLives(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let screen = Screen(repository)
    screen.actions.onNext(.addGroup(GroupDraft(name: " ")))
    screen.actions.onNext(.addGroup(GroupDraft(name: "important")))
    screen.actions.onNext(.moveGroup(.numbered(9), to: .first))
    screen.deletions.onNext(.numbered(9))
    #expect(screen.issues.elements.map(\.code) == [.blank, .reservedName])
    #expect(
      screen.errors.elements.map { ($0 as? TodoError)?.code } == [.groupNotFound, .groupNotFound])
    screen.actions.onNext(.addGroup(GroupDraft(name: "Home")))
    #expect(screen.changed.elements.count == 1)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aYesDeletesExactlyWhatWasAskedAbout(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1)
    try repository.perform(
      .add(groups: [home], items: (1...2).map { .numbered($0, group: home.id) }))
    let screen = Screen(repository)
    screen.deletions.onNext(home.id)
    let question = try #require(screen.questions.elements.last)
    #expect(question.titles == [home.name])
    #expect(Set(question.items) == [.numbered(1), .numbered(2)])
    #expect(try repository.groups().count == 1, "nothing is deleted before the answer")
    // Something is added after the question: the yes does not delete it unseen.
    try repository.perform(.add(.numbered(3, group: home.id)))
    screen.actions.onNext(question.action)
    #expect(screen.errors.elements.map { ($0 as? TodoError)?.code } == [.changedSince])
    screen.deletions.onNext(home.id)
    screen.actions.onNext(try #require(screen.questions.elements.last).action)
    let deleted = try #require(screen.changed.elements.last)
    #expect(deleted.groups == [home] && deleted.items.count == 3 && deleted.isUndoable)
    screen.groups.wait { $0.last?.isEmpty == true }
  }
}
