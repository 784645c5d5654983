import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TodoKit
import TodoScreens
import TodoTestSupport

@Suite("HistoryCommands")
struct HistoryCommandsTests {
  @Test(arguments: RepositoryKind.allCases)
  func theButtonsFollowTheHistory(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let commands = HistoryCommands(repository: repository)
    let canUndo = Recorder(commands.undo.isEnabled)
    let canRedo = Recorder(commands.redo.isEnabled)
    let undone = Recorder(commands.undo.values)
    let redone = Recorder(commands.redo.values)
    #expect(canUndo.elements == [false] && canRedo.elements == [false])
    // Not enabled: nothing is done, and nothing goes wrong.
    commands.undo.execute()
    #expect(undone.elements.isEmpty)
    try repository.perform(.add(.numbered(1)))
    canUndo.wait { $0.last == true }
    commands.undo.execute()
    // The news may still be under way when the button is pressed; then the press waits its turn.
    undone.wait { $0.map(\.items) == [[.numbered(1)]] }
    canRedo.wait { $0.last == true }
    canUndo.wait { $0.last == false }
    commands.redo.execute()
    redone.wait { $0.map(\.command) == undone.elements.map(\.command) }
    canUndo.wait { $0.last == true }
    #expect(try repository.items(.all) == [.numbered(1)])
  }

  @Test func anUndoThatFailsSaysWhyAndMayBeTriedAgain() throws {
    let repository = PlainTodoRepository()
    try repository.perform(.add(.numbered(1)))
    let box = BehaviorRelay<HistoryCommands?>(value: nil)
    let bag = DisposeBag()
    // It hears of the history first, so the button is still enabled when it is pressed.
    repository.observeHistory().subscribe(onNext: { history in
      if history.undo == nil { box.value?.undo.execute() }
    }).disposed(by: bag)
    let commands = HistoryCommands(repository: repository)
    let errors = Recorder(commands.undo.errors)
    let undone = Recorder(commands.undo.values)
    box.accept(commands)
    try repository.perform(.undo)
    #expect(errors.elements.map(\.code) == [.nothingToUndo])
    box.accept(nil)
    try repository.perform(.redo)
    commands.undo.execute()
    #expect(undone.elements.count == 1 && errors.elements.count == 1)
  }
}
