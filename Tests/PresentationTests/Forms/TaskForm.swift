import Presentation
import Reactive
import ReactiveTestSupport

/// What is entered for a task, as in the apps that this module serves.
struct TaskEntry: Equatable, Sendable {
  var title = ""
  var priority: Int?
  var note = ""
}

/// A task whose entry passed the rules.
struct AcceptedTask: Equatable, Sendable {
  var title: String
  var priority: Int
}

extension Validator where Input == TaskEntry, Output == AcceptedTask {
  /// A title, and a priority; the title's issue comes first.
  static var task: Validator {
    Validator<TaskEntry, (String, Int)>.all(
      Validator<String, String>.notBlank.pullback(\.title, at: "title"),
      Validator<Int?, Int>.chosen.pullback(\.priority, at: "priority")
    ).map { AcceptedTask(title: $0.0, priority: $0.1) }
  }
}

/// A form for tasks over a repository that the test answers for.
struct TaskForm: Sendable {
  let form: Form<TaskEntry, AcceptedTask>
  /// What the repository was asked to store, in order.
  let asked = Recorder<AcceptedTask>()
  /// What the repository answers, each time it is asked.
  let answers = PublishSubject<AcceptedTask>()

  init(
    _ entry: TaskEntry = TaskEntry(), policy: IssuePolicy = IssuePolicy(),
    check: AsyncValidator<String>? = nil, crossFieldRules: [CrossFieldRule<TaskEntry>] = [],
    answer: (@Sendable (AcceptedTask) -> Observable<AcceptedTask>)? = nil
  ) {
    form = Form(
      entry,
      fields: [
        FormField(\.title, at: "title", check: check), FormField(\.priority, at: "priority"),
        FormField(\.note, at: "note"),
      ], rule: .task, crossFieldRules: crossFieldRules, policy: policy
    ) { [asked, answers] task in
      asked.on(.next(task))
      return answer?(task) ?? answers
    }
  }

  var state: FormState<TaskEntry> { form.state }

  /// Enters what passes the rules.
  func fillIn() {
    form.update {
      $0.title = " Buy milk "
      $0.priority = 1
    }
  }
}

/// The smallest draft with two fields.
struct Pair: Equatable, Sendable {
  var a = 0
  var b = 0
}
