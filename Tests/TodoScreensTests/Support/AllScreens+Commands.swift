import Foundation
import Presentation
import Reactive
import Testing
import TestSupport
import TodoKit
import TodoScreens
import TodoTestSupport

/// The screen that gives a command.
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
    mutating func place(_ id: UUID) -> Position {
      [.first, .last, .before(id: id), .after(id: id)].randomElement(using: &generator) ?? .last
    }
  }

  /// Has somebody give some command.
  ///
  /// - Returns: Whether that changed anything: some are refused, as they have to be.
  func command(by commander: Commander, _ chance: inout Chance) throws -> Bool {
    chance.items = try one.items(.all)
    let before = try one.groups()
    chance.groups = before.map(\.group)
    switch commander {
    case .mvc: try commandOfMVC(&chance)
    case .mvvm: commandOfMVVM(&chance)
    case .mvi: commandOfMVI(&chance)
    case .mvp: try commandOfMVP(&chance)
    case .repository: try commandOfRepository(&chance)
    }
    return try one.items(.all) != chance.items || one.groups() != before
  }

  private func commandOfMVC(_ chance: inout Chance) throws {
    let bus = mvc.bus
    let (item, group) = (chance.item(), chance.group())
    switch chance.number(0..<9) {
    case 0, 1: bus.emit(GroupEvents.CreateNewTask(.init(chance.text(), in: home.id)))
    case 2: bus.emit(GroupEvents.AddTaskGroup(GroupDraft(name: chance.text())))
    case 3: bus.emit(GroupEvents.EditTaskName(.init(item, to: chance.text())))
    case 4: bus.emit(GroupEvents.CompleteTask(.init([item], isDone: chance.flag())))
    case 5: bus.emit(GroupEvents.MoveTask(.init([item], to: chance.place(chance.item()))))
    case 6: bus.emit(GroupEvents.MoveTaskGroup(.init(group, to: chance.place(chance.group()))))
    case 7:
      let patch =
        chance.flag() ? GroupPatch(name: chance.text()) : GroupPatch(color: .randomDark())
      bus.emit(GroupEvents.UpdateTaskGroup(.init(group, patch)))
    default:
      if chance.items.count > 12 {
        try confirm(bus.result(of: GroupEvents.DeleteTask.self, [item]))
      } else if group != home.id {
        try confirm(bus.result(of: GroupEvents.DeleteTaskGroup.self, group))
      }
    }
  }

  private func confirm(_ question: Result<PendingDeletion, any Error>?) throws {
    mvc.bus.emit(GroupEvents.ConfirmDeletion(try #require(question).get().token))
  }

  private func commandOfMVVM(_ chance: inout Chance) {
    let ids = [chance.item(), chance.item()]
    let action: ItemListViewModel.Action
    switch chance.number(0..<10) {
    case 0:
      return mvvm.attempts.onNext(
        TaskDraft(title: chance.text(), priority: chance.flag() ? .high : nil))
    case 1: action = .setDone(ids, chance.flag())
    case 2: action = .setImportant(ids, chance.flag())
    case 3: action = .retitle(ids[0], to: chance.text())
    case 4: action = .setPriority(ids, Priority.allCases[chance.number(0..<4)])
    case 5: action = .setGroup(ids, chance.flag() ? chance.group() : nil)
    case 6: action = .addTags(ids, [chance.text()])
    case 7: action = .move(ids, to: chance.place(chance.item()))
    case 8: action = chance.flag() ? .undo : .redo
    default: action = .setDue(ids, DueChange(day: CalendarDay(year: 2026, month: 6, day: 1)))
    }
    mvvm.actions.onNext(action)
  }

  private func commandOfMVI(_ chance: inout Chance) {
    let screen = mvi[chance.number(0..<mvi.count)]
    let id = screen.store.state.items.value?.all.randomElement(using: &chance.generator)?.id
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
      if chance.items.count < 12 { return }
      screen.send(.askToDelete(items: [id ?? UUID()]))
      if let token = screen.store.state.question?.token {
        screen.send(.answer(token: token, isYes: true))
      }
    }
  }

  private func commandOfMVP(_ chance: inout Chance) throws {
    let window = mvp[chance.number(0..<mvp.count)]
    let view = try #require(window.view(RecordingListView.self))
    let item = view.items.randomElement(using: &chance.generator)
    switch (chance.number(0..<7), item) {
    case (0, let item?): view.presenter.doneTapped(item)
    case (1, let item?): view.presenter.starTapped(item)
    case (2, let item?): view.presenter.moved(item.id, to: chance.place(chance.item()))
    case (3, let item?):
      view.presenter.titleTapped(item.id)
      fill(in: window, chance.text())
    case (4, let item?):
      if chance.items.count < 12 { return }
      view.presenter.deleteTapped(item.id)
      if let token = view.question?.token { view.presenter.answer(token, isYes: true) }
    case (5, _):
      try #require(window.view(RecordingHomeView.self)).presenter
        .moved(chance.group(), to: chance.place(chance.group()))
    default:
      view.presenter.rightBarButtonTapped()
      fill(in: window, chance.text())
    }
  }

  /// Types a text into the form that is open, if one is, and leaves it if it will not close.
  private func fill(in window: Window, _ text: String) {
    guard let form = window.view(RecordingFormView<EditTaskPresenter>.self) else { return }
    form.presenter.rightBarButtonTapped(text)
    if form.dismissals == 0 { form.presenter.leftBarButtonTapped() }
  }

  private func commandOfRepository(_ chance: inout Chance) throws {
    let repository = chance.flag() ? one : other
    let ids = [chance.item(), chance.item()]
    let intent: TodoCommand =
      switch chance.number(0..<7) {
      case 0: .undo
      case 1: .redo
      case 2: .deleteAll(list: .important, filter: .done)
      case 3: .editItems(ids: ids, patch: ItemPatch(note: chance.text(), isImportant: true))
      case 4: .moveItems(ids: ids, to: chance.place(chance.item()))
      case 5: .editGroup(id: chance.group(), patch: GroupPatch(name: chance.text()))
      default: .add(groups: [], items: [TodoItem(title: chance.text(), isImportant: true)])
      }
    do { try repository.perform(intent) } catch is TodoError {}
  }
}
