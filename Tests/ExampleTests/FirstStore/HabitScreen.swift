import Croft
import CroftReactive
import Presentation
import Reactive

let texts = MessageCatalog.standard(in: .english)

func habitScreen(_ store: Store, _ form: Form<HabitDraft, Void>) -> Observable<[String]> {
  let habits = store.rx.observe(Habit.all.order(by: \.name))
  return Observable.combineLatest(habits, form.states) { habits, state in
    let name = state.field(\.name)
    return habits.map { "\($0.name): \($0.days) of \($0.goal)" }
      + ["New habit: \(name.value)"]
      + name.visibleIssues.map { "  \(texts.message(for: $0))" }
  }
}
