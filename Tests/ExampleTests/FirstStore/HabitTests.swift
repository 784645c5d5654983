import Croft
import Presentation
import Reactive
import Testing

@Suite struct HabitTests {
  @Test func aHabitThatIsEnteredIsShown() async throws {
    let store = try Store.inMemory(models: Habit.self)
    let form = habitForm(store)
    form.set(\.name, to: " Read ")
    form.submit()
    let screens = habitScreen(store, form).values
    let lines = try await screens.first { $0.count > 1 }
    #expect(lines == ["Read: 0 of 7", "New habit:  Read "])
  }

  @Test func aNameThatIsTakenIsShownAtItsField() async throws {
    let store = try Store.inMemory(models: Habit.self)
    try addHabits(["Read"], to: store)
    let form = habitForm(store)
    form.set(\.name, to: "Read")
    form.submit()
    let screens = habitScreen(store, form).values
    let lines = try await screens.first { $0.count > 2 }
    #expect(lines?.last == "  This is taken already.")
  }

  @Test func aBlankNameIsRefusedBeforeItIsWritten() throws {
    let store = try Store.inMemory(models: Habit.self)
    let form = habitForm(store)
    form.submit()
    #expect(form.state.field(\.name).visibleIssues.map(\.code) == [.blank])
    #expect(try store.count(Habit.all) == 0)
  }
}
