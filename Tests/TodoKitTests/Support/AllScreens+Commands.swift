import Foundation
import Presentation
import Reactive
import Testing
import TodoKit

/// Who gives a command.
enum Commander: CaseIterable {
  case mvc, mvvm, mvi, mvp, repository
}

extension AllScreens {
  /// What a command may be about: what is stored now, and some chance.
  struct Chance {
    var generator: SeededGenerator
    var items: [TodoItem] = []
    var groups: [TodoGroup] = []

    mutating func number(_ range: Range<Int>) -> Int { .random(in: range, using: &generator) }
    mutating func flag() -> Bool { .random(using: &generator) }
    mutating func item() -> UUID { items.randomElement(using: &generator)?.id ?? UUID() }
    mutating func group() -> UUID { groups.randomElement(using: &generator)?.id ?? UUID() }
    mutating func text() -> String {
      ["우유 사기", "보고서", " 청소 ", "빨래\u{3000}", " ", "한글", "집안일"]
        .randomElement(using: &generator) ?? ""
    }
    mutating func place(_ id: UUID) -> Place {
      [.first, .last, .before(id: id), .after(id: id)].randomElement(using: &generator) ?? .last
    }
  }

  /// Has somebody give some command.
  ///
  /// - Returns: Whether it was done: some are refused, as they have to be.
  func command(by commander: Commander, _ chance: inout Chance) throws -> Bool {
    chance.items = try one.items(.all)
    chance.groups = try one.groups().map(\.group)
    switch commander {
    case .mvc: return try commandOfMVC(&chance)
    case .mvvm: return commandOfMVVM(&chance)
    case .mvi: return commandOfMVI(&chance)
    case .mvp: return try commandOfMVP(&chance)
    case .repository: return try commandOfRepository(&chance)
    }
  }

  private func commandOfMVC(_ chance: inout Chance) throws -> Bool {
    switch chance.number(0..<9) {
    case 0, 1:
      return try done(GroupEvents.CreateNewTask.self, .init(chance.text(), in: home.id))
    case 2: return try done(GroupEvents.AddTaskGroup.self, GroupDraft(name: chance.text()))
    case 3:
      return try done(GroupEvents.EditTaskName.self, .init(chance.item(), to: chance.text()))
    case 4:
      return try done(GroupEvents.CompleteTask.self, .init([chance.item()], isDone: chance.flag()))
    case 5:
      let place = chance.place(chance.item())
      return try done(GroupEvents.MoveTask.self, .init([chance.item()], to: place))
    case 6:
      let place = chance.place(chance.group())
      return try done(GroupEvents.MoveTaskGroup.self, .init(chance.group(), to: place))
    case 7:
      let patch =
        chance.flag() ? GroupPatch(name: chance.text()) : GroupPatch(color: .randomDark())
      return try done(GroupEvents.UpdateTaskGroup.self, .init(chance.group(), patch))
    default:
      if chance.items.count > 12 {
        return try confirmed(mvc.bus.result(of: GroupEvents.DeleteTask.self, [chance.item()]))
      }
      let group = chance.group()
      if group == home.id { return false }
      return try confirmed(mvc.bus.result(of: GroupEvents.DeleteTaskGroup.self, group))
    }
  }

  private func done<E: RequestEvent, Input, Value>(
    _ event: E.Type, _ input: Input
  ) throws -> Bool where E.Payload == RequestPayload<Input, Value> {
    if case .success = try #require(mvc.bus.result(of: event, input)) { true } else { false }
  }

  private func confirmed(_ question: Result<PendingDeletion, any Error>?) throws -> Bool {
    guard case .success(let question) = try #require(question) else { return false }
    return try done(GroupEvents.ConfirmDeletion.self, question.token)
  }

  private func commandOfMVVM(_ chance: inout Chance) -> Bool {
    let ids = [chance.item(), chance.item()]
    switch chance.number(0..<10) {
    case 0:
      mvvm.attempts.onNext(
        TaskDraft(title: chance.text(), priority: chance.flag() ? .high : nil))
    case 1: mvvm.actions.onNext(.setDone(ids, chance.flag()))
    case 2: mvvm.actions.onNext(.setImportant(ids, chance.flag()))
    case 3: mvvm.actions.onNext(.retitle(chance.item(), to: chance.text()))
    case 4: mvvm.actions.onNext(.setPriority(ids, Priority.allCases[chance.number(0..<4)]))
    case 5: mvvm.actions.onNext(.setGroup(ids, chance.flag() ? chance.group() : nil))
    case 6: mvvm.actions.onNext(.addTags(ids, [chance.text()]))
    case 7: mvvm.actions.onNext(.move(ids, to: chance.place(chance.item())))
    case 8: mvvm.actions.onNext(chance.flag() ? .undo : .redo)
    default:
      mvvm.actions.onNext(.setDue(ids, CalendarDay(year: 2026, month: 6, day: 1)))
    }
    return mvvm.answers.elements.last == true
  }

  private func commandOfMVI(_ chance: inout Chance) -> Bool {
    let screen = mvi[chance.number(0..<mvi.count)].store
    let id = screen.state.items.value?.all.randomElement(using: &chance.generator)?.id
    switch chance.number(0..<8) {
    case 0: screen.send(.toggleDone(id: id ?? UUID()))
    case 1: screen.send(.toggleImportant(id: id ?? UUID()))
    case 2: screen.send(.setPriority(id: id ?? UUID(), priority: chance.flag() ? .low : nil))
    case 3: screen.send(.createTask(title: chance.text()))
    case 4: screen.send(.retitleTask(id: id ?? UUID(), title: chance.text()))
    case 5: screen.send(.renameGroup(name: chance.text()))
    case 6:
      screen.send(.openSheet(mode: .create))
      screen.send(.type(text: chance.text()))
      screen.send(.save)
      screen.send(.closeSheet)
    default:
      if chance.items.count < 12 { return false }
      screen.send(.askToDelete(items: [id ?? UUID()]))
      if let token = screen.state.question?.token {
        screen.send(.answer(token: token, isYes: true))
      }
    }
    return !screen.state.hasError && screen.state.issues.isEmpty
  }

  private func commandOfMVP(_ chance: inout Chance) throws -> Bool {
    let window = mvp[chance.number(0..<mvp.count)]
    let view = try #require(window.view(RecordingListView.self))
    guard let item = view.items.randomElement(using: &chance.generator) else {
      view.presenter.rightBarButtonTapped()
      return try fill(in: window, chance.text())
    }
    switch chance.number(0..<7) {
    case 0: view.presenter.doneTapped(item)
    case 1: view.presenter.starTapped(item)
    case 2: view.presenter.moved(item.id, to: chance.place(chance.item()))
    case 3:
      view.presenter.titleTapped(item.id)
      return try fill(in: window, chance.text())
    case 4:
      view.presenter.rightBarButtonTapped()
      return try fill(in: window, chance.text())
    case 5:
      if chance.items.count < 12 { return false }
      view.presenter.deleteTapped(item.id)
      window.thread.run { view.question != nil || view.alert != nil }
      if let token = view.question?.token { view.presenter.answer(token, isYes: true) }
    default:
      try #require(window.view(RecordingHomeView.self)).presenter
        .moved(chance.group(), to: chance.place(chance.group()))
    }
    return view.alert == nil
  }

  /// Types a text into the form that is open, if one is, and leaves it if it will not close.
  private func fill(in window: Window, _ text: String) throws -> Bool {
    guard let form = window.view(RecordingFormView<EditTaskPresenter>.self) else { return false }
    form.presenter.rightBarButtonTapped(text)
    let isStored = form.dismissals > 0
    if !isStored { form.presenter.leftBarButtonTapped() }
    return isStored
  }

  private func commandOfRepository(_ chance: inout Chance) throws -> Bool {
    let repository = chance.flag() ? one : other
    let ids = [chance.item(), chance.item()]
    let intent: TodoIntent =
      switch chance.number(0..<7) {
      case 0: .undo
      case 1: .redo
      case 2: .deleteAll(list: .important, filter: .done)
      case 3: .editItems(ids: ids, patch: ItemPatch(note: chance.text(), isImportant: true))
      case 4: .moveItems(ids: ids, place: chance.place(chance.item()))
      case 5: .editGroup(id: chance.group(), patch: GroupPatch(name: chance.text()))
      default: .add(groups: [], items: [TodoItem(title: chance.text(), isImportant: true)])
      }
    do {
      try repository.perform(intent)
      return true
    } catch is TodoError {
      return false
    }
  }
}
