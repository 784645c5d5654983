import Foundation
import Presentation
import Reactive
import Testing
import TodoKit

/// The apps' flows from end to end, without a screen.
@Suite("Flows")
struct FlowTests {
  @Test func fromTheFirstStartToARestartEverythingIsThere() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    var expected: (items: [TodoItem], groups: [GroupSummary])
    do {
      let repository = try CroftTodoRepository(path: path)

      // The first start: nothing there, and the important list all the same.
      #expect(try repository.groups() == [])
      #expect(try repository.items(in: .important, .all) == [])

      // Adding, with both errors on the way.
      let attempts = PublishSubject<TaskDraft>()
      let adding = AddTaskViewModel(repository: repository).transform(
        input: .init(attempts: attempts))
      let added = Recorder(adding.added)
      let refused = Recorder(adding.validationError)
      attempts.onNext(TaskDraft(title: "  ", priority: .high))
      attempts.onNext(TaskDraft(title: "우유 사기", priority: Priority.none))
      attempts.onNext(TaskDraft(title: " 우유 사기 ", priority: .high))
      attempts.onNext(TaskDraft(title: "보고서", priority: .low))
      attempts.onNext(TaskDraft(title: "청소", priority: .normal))
      #expect(refused.elements.map(\.code) == [.blank, .required])
      let ids = added.elements.map(\.id)
      #expect(ids.count == 3)

      // A group, a clash of names, and items in it.
      let home = try repository.createGroup(name: "집안일", color: RGBA("#ff8800"))
      let other = try repository.createGroup(name: " 집안일 ")
      #expect(other.name == "집안일 (1)")
      #expect(try repository.updateGroup(other.id, GroupPatch(name: "회사")).name == "회사")
      try repository.edit([ids[0], ids[2]], ItemPatch(groupID: home.id))
      try repository.edit([ids[1]], ItemPatch(groupID: other.id, due: CalendarDay("2026-06-01")))

      // Toggling, starring, reordering.
      _ = try repository.setDone([ids[0]], true)
      _ = try repository.setImportant([ids[1]], true)
      try repository.move([ids[2]], to: .before(id: ids[1]))
      try repository.moveGroup(other.id, to: .first)
      #expect(try repository.items(.all).map(\.id) == [ids[2], ids[1], ids[0]])
      #expect(try repository.tally(of: .group(id: home.id)).progress == 0.5)

      // Deleting a group asks first, and undo brings all of it back.
      let deletions = PendingDeletions(repository: repository)
      let before = try repository.items(.all)
      let question = try deletions.request(group: home.id)
      #expect(question.titles == ["집안일"] && question.items.count == 2)
      #expect(try deletions.confirm(question.token).itemCount == 2)
      #expect(try repository.groups().map(\.group.name) == ["회사"])
      try repository.undo()
      #expect(try repository.items(.all) == before)
      expected = (try repository.items(.all), try repository.groups())
    }

    // A restart: everything is there, and what was deleted can be deleted again.
    let repository = try CroftTodoRepository(path: path)
    #expect(try repository.items(.all) == expected.items)
    #expect(try repository.groups() == expected.groups)
    try repository.redo()
    #expect(try repository.items(.all).map(\.title) == ["보고서"])
    try repository.undo()
    #expect(try repository.groups() == expected.groups)
  }
}
