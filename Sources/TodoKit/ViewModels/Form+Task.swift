public import Presentation
import Reactive

extension Form where Draft == TaskDraft, Result == TodoItem {
  /// The form of a new task, for screens that stay open while it is filled in.
  ///
  /// It knows which issues are to be shown, and drops a second submit while the first is not
  /// answered; ``AddTaskViewModel`` is for front ends that send finished drafts. The rules
  /// are the same.
  ///
  /// - Parameters:
  ///   - draft: The initial draft, such as one with the group whose screen is open.
  ///   - repository: Stores the task; its errors are the form's.
  public static func task(
    _ draft: TaskDraft = TaskDraft(title: ""), in repository: any TodoRepository
  ) -> Form {
    Form(
      draft, fields: TaskDraft.fields, rule: .draft
    ) { item in
      .deferred { .just(try repository.perform(.add(item)).items[0]) }
    }
  }
}
