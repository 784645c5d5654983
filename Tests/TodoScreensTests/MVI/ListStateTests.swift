import Foundation
import Presentation
import Testing
import TodoKit
import TodoScreens
import TodoTestSupport

private let group = TodoGroup.numbered(1, name: "집안일")
private let list = ItemList.group(id: group.id)

/// The state of a list after steps, which begins with reading these items.
private func state(
  of list: ItemList = list, _ items: [TodoItem] = [.numbered(1), .numbered(2, isDone: true)],
  _ steps: ListEvent...
) -> ListState {
  var state = ListState(list: list)
  _ = state.reduce(.user(.reload))
  if list.groupID != nil { _ = state.reduce(.groupRead(group)) }
  _ = state.reduce(.itemsRead(ItemSections(items)))
  for step in steps { _ = state.reduce(step) }
  return state
}

private func failure(_ error: TodoError = .nothingToUndo) -> PresentableError {
  PresentableError(error)
}

private let committed = ListEvent.committed(CommandResult(command: .undo))

private let question = PendingDeletion.numbered(1)

extension PendingDeletion {
  /// A question that is the same in every run.
  fileprivate static func numbered(_ number: Int) -> PendingDeletion {
    let json = """
      {"token": "\(UUID.numbered(number))", "items": ["\(UUID.numbered(1))"], "titles": ["item 1"],
        "shown": {"items": [], "groups": []}}
      """
    do {
      return try JSONDecoder().decode(PendingDeletion.self, from: Data(json.utf8))
    } catch {
      preconditionFailure("The question cannot be read: \(error)")
    }
  }
}

@Suite("ListState")
struct ListStateTests {
  @Test func theStateIsAValueThatStepsAloneDecide() {
    let steps: [ListEvent] = [
      .user(.openSheet(mode: .create)), .user(.type(text: "청소")), .failed(failure()),
      .asked(question),
    ]
    var (first, second) = (state(), state())
    #expect(first == second)
    for step in steps {
      #expect(first.reduce(step) == second.reduce(step))
      #expect(first == second)
    }
    #expect(first != state())
  }

  @Test func readingGoesFromIdleToLoadedAndKeepsTheListWhileItIsReadAgain() {
    var state = ListState(list: list)
    #expect(state.items == .idle && state.undone == [] && state.done == [])
    #expect(state.reduce(.user(.reload)) == [.read])
    #expect(state.items == .loading(stale: nil))
    let sections = ItemSections([.numbered(1)])
    #expect(state.reduce(.itemsRead(sections)) == [])
    #expect(state.items == .loaded(sections))
    #expect(state.reduce(.readFailed(failure())) == [])
    #expect(state.items == .failed(failure(), stale: sections) && state.error == failure())
    #expect(state.undone == [.numbered(1)])
    _ = state.reduce(.user(.reload))
    #expect(state.items == .loading(stale: sections) && !state.hasError)
  }

  @Test func undoneStandFirstAndCompletedBelowOnlyWhenThereAreAny() {
    let (open, done) = (TodoItem.numbered(1), TodoItem.numbered(2, isDone: true))
    let shown: [([TodoItem], [ItemSection])] = [
      ([open, .numbered(3), done], [.open, .completed]), ([open], [.open]), ([], [.open]),
      ([done], [.open, .completed]),
    ]
    for (items, sections) in shown {
      let state = state(items)
      #expect(state.sections == sections)
      #expect(state.items(in: .open) == items.filter { !$0.isDone })
      #expect(state.items(in: .completed) == items.filter(\.isDone))
    }
  }

  @Test func aToggleIsACommandThatSetsWhatIsNotShown() {
    var state = state()
    for (id, isDone) in [(1, true), (2, false), (1, true)] {
      #expect(
        state.reduce(.user(.toggleDone(id: .numbered(id)))) == [
          .perform(.editItems(ids: [.numbered(id)], patch: ItemPatch(isDone: isDone)))
        ])
    }
    #expect(
      state.reduce(.user(.toggleImportant(id: .numbered(1)))) == [
        .perform(.editItems(ids: [.numbered(1)], patch: ItemPatch(isImportant: true)))
      ])
    // The state changes when the commit is read, and not before.
    #expect(state == ListStateTests().before)
  }

  private var before: ListState { state() }

  @Test func aTapOnWhatIsNotShownIsAnErrorAndNothingElse() {
    for intent in [
      ListIntent.toggleDone(id: .numbered(9)), .toggleImportant(id: .numbered(9)),
      .openSheet(mode: .retitle(id: .numbered(9))),
    ] {
      var state = state()
      #expect(state.reduce(.user(intent)) == [])
      #expect(state.error == failure(.notFound(.numbered(9))) && state.sheet == nil)
    }
  }

  @Test func whatIsAcceptedIsTrimmedAndBecomesACommand() {
    var state = state()
    #expect(state.reduce(.user(.createTask(title: " 청소\u{3000}"))) == [.add(title: "청소")])
    #expect(
      state.reduce(.user(.retitleTask(id: .numbered(1), title: " 청소 "))) == [
        .perform(.edit(.numbered(1), ItemPatch(title: "청소"), ifStill: .numbered(1)))
      ])
    #expect(
      state.reduce(.user(.setPriority(id: .numbered(1), priority: .high))) == [
        .perform(.editItems(ids: [.numbered(1)], patch: ItemPatch(priority: .high)))
      ])
    #expect(
      state.reduce(.user(.renameGroup(name: " 살림 "))) == [
        .perform(.editGroup(group.id, GroupPatch(name: "살림"), ifStill: group))
      ])
  }

  @Test(arguments: [
    (ListIntent.createTask(title: " "), ValidationIssue(.blank, at: .title)),
    (.retitleTask(id: .numbered(1), title: ""), ValidationIssue(.blank, at: .title)),
    (.setPriority(id: .numbered(1), priority: nil), ValidationIssue(.required, at: .priority)),
    (
      .setPriority(id: .numbered(1), priority: Priority.none),
      ValidationIssue(.required, at: .priority)
    ),
    (.renameGroup(name: " \u{200B}"), ValidationIssue(.blank, at: .name)),
    (
      .renameGroup(name: "중요"),
      ValidationIssue(.reservedName, at: .name, params: ["name": .text("중요")])
    ),
  ])
  func whatIsRefusedIsAnIssueInTheState(intent: ListIntent, issue: ValidationIssue) {
    var state = state()
    #expect(state.reduce(.user(intent)) == [])
    #expect(state.issues == [issue] && !state.hasError)
    _ = state.reduce(.user(.createTask(title: "청소")))
    #expect(state.issues == [])
  }

  @Test func theImportantListOffersNoAddingRenamingOrDeleting() {
    for intent in [
      ListIntent.createTask(title: "청소"), .renameGroup(name: "살림"), .askToDeleteGroup,
      .openSheet(mode: .create), .openSheet(mode: .rename),
    ] {
      var state = state(of: .important)
      #expect(state.capabilities == ItemList.important.capabilities)
      #expect(state.reduce(.user(intent)) == [])
      #expect(state.issues == [ValidationIssue(.listIsFixed)] && state.sheet == nil)
    }
    for language in [Language.korean, .english] {
      let text = MessageCatalog.todo(in: language).message(for: ValidationIssue(.listIsFixed))
      #expect(!text.contains("todo."))
    }
    var state = state(of: .important)
    #expect(state.reduce(.user(.toggleDone(id: .numbered(1)))).count == 1)
  }

  @Test func theNextSuccessClearsTheErrorAndSoDoesTheUser() {
    var state = state(of: list, [], .failed(failure()))
    #expect(state.hasError && state.error == failure())
    // The list that somebody else changed is no success of what has failed.
    _ = state.reduce(.itemsRead(ItemSections([.numbered(1)])))
    #expect(state.hasError)
    _ = state.reduce(committed)
    #expect(!state.hasError && state.error == nil && state.result?.command == .undo)
    _ = state.reduce(.failed(failure()))
    #expect(state.result == nil)
    _ = state.reduce(.user(.dismissError))
    #expect(!state.hasError)
  }

  @Test func aGroupThatVanishesSaysSoAndMayComeBack() {
    var state = state()
    #expect(state.group == group && !state.isGone)
    _ = state.reduce(.groupRead(nil))
    #expect(state.isGone && state.group == group)
    _ = state.reduce(.groupRead(group))
    #expect(!state.isGone)
    #expect(!ListStateTests.important.isGone && ListStateTests.important.group == nil)
  }

  private static var important: ListState { state(of: .important) }
}

@Suite("ListState, questions and sheets")
struct GroupStateDialogTests {
  @Test func theQuestionIsClearedWithItsAnswerAndOneIsAskedAtATime() {
    var state = state()
    #expect(
      state.reduce(.user(.askToDelete(items: [.numbered(1)]))) == [.ask(items: [.numbered(1)])])
    #expect(state.reduce(.user(.askToDeleteGroup)) == [.askGroup(id: group.id)])
    #expect(state.reduce(.asked(question)) == [] && state.question == question)
    #expect(state.reduce(.asked(.numbered(2))) == [.cancel(token: .numbered(1))])
    #expect(state.question == .numbered(2))
    // An answer to an earlier question leaves the current one open.
    #expect(
      state.reduce(.user(.answer(token: .numbered(1), isYes: true)))
        == [.confirm(token: .numbered(1))])
    #expect(state.question == .numbered(2))
    #expect(
      state.reduce(.user(.answer(token: .numbered(2), isYes: false))) == [
        .cancel(token: .numbered(2))
      ])
    #expect(state.question == nil)
    // Whatever comes of it, the question is not asked again.
    for step in [committed, .failed(failure()), .itemsRead(ItemSections([]))] {
      _ = state.reduce(step)
      #expect(state.question == nil)
    }
  }

  @Test func oneSheetHasAModeForEachThingThatIsTyped() {
    let modes: [(ListSheet.Mode, String, ListEffect)] = [
      (.create, "", .add(title: "x")),
      (
        .retitle(id: .numbered(1)), "item 1",
        .perform(.edit(.numbered(1), ItemPatch(title: "x"), ifStill: .numbered(1)))
      ),
      (
        .rename, "집안일",
        .perform(.editGroup(group.id, GroupPatch(name: "x"), ifStill: group))
      ),
    ]
    for (mode, text, work) in modes {
      var state = state()
      _ = state.reduce(.user(.openSheet(mode: mode)))
      #expect(state.sheet?.mode == mode && state.sheet?.text == text)
      _ = state.reduce(.user(.type(text: " x ")))
      #expect(state.reduce(.user(.save)) == [work])
      // A second press while it is being saved does nothing.
      #expect(state.sheet?.isSaving == true && state.sheet?.canSave == false)
      #expect(state.reduce(.user(.save)) == [])
      _ = state.reduce(committed)
      #expect(state.sheet == nil)
      #expect(state.reduce(.user(.save)) == [])
    }
  }

  @Test func aSheetStaysOpenUntilWhatIsTypedIsStored() {
    var state = state()
    _ = state.reduce(.user(.openSheet(mode: .create)))
    #expect(state.sheet?.canSave == false)
    #expect(state.reduce(.user(.save)) == [])
    #expect(state.issues == [ValidationIssue(.blank, at: .title)])
    #expect(state.sheet?.isSaving == false)
    _ = state.reduce(.user(.type(text: "청소")))
    #expect(state.issues == [] && state.sheet?.canSave == true)
    // Something else that succeeds does not close it.
    _ = state.reduce(committed)
    #expect(state.sheet != nil)
    _ = state.reduce(.user(.save))
    _ = state.reduce(.failed(failure()))
    #expect(state.sheet?.text == "청소" && state.sheet?.canSave == true && state.hasError)
    _ = state.reduce(.user(.closeSheet))
    #expect(state.sheet == nil)
  }

  @Test func whatTheUserDoesSurvivesTheWire() throws {
    let intents: [ListIntent] = [
      .reload, .toggleDone(id: .numbered(1)), .toggleImportant(id: .numbered(1)),
      .setPriority(id: .numbered(1), priority: .high),
      .setPriority(id: .numbered(1), priority: nil), .createTask(title: "청소"),
      .retitleTask(id: .numbered(1), title: "빨래"), .renameGroup(name: "살림"),
      .openSheet(mode: .create), .openSheet(mode: .retitle(id: .numbered(1))),
      .openSheet(mode: .rename), .type(text: "청"), .save, .closeSheet,
      .askToDelete(items: [.numbered(1), .numbered(2)]), .askToDeleteGroup,
      .answer(token: .numbered(3), isYes: true), .dismissError,
    ]
    for intent in intents {
      let data = try JSONEncoder().encode(intent)
      #expect(try JSONDecoder().decode(ListIntent.self, from: data) == intent)
    }
  }
}
