import Croft
import CroftPresentation
import CroftReactive
import Presentation
import Reactive

struct HabitDraft: Equatable, Sendable {
  var name = ""
}

func habitForm(_ store: Store) -> Form<HabitDraft, Void> {
  Form(
    HabitDraft(),
    fields: [FormField(\.name, at: "name")],
    rule: Validator<String, String>.notBlank.then(.maxLength(40)).pullback(\.name, at: "name")
  ) { name in
    store.rx.write { tx in try tx.insert(Habit(name: name)) }.asObservable()
  }
}
