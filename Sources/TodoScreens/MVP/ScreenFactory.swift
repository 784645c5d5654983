/// A front end that can bring a view for each screen that is opened.
///
/// It makes a view, attaches it to the presenter, and retains both until the presenter's `route`
/// is no longer among the router's.
public protocol ScreenFactory: AnyObject {
  /// Opens the view of all lists.
  func show(_ presenter: HomePresenter)
  /// Opens the view of one list.
  func show(_ presenter: TodoListPresenter)
  /// Opens the form for a new list.
  func show(_ presenter: AddListPresenter)
  /// Opens the form for another name of a list.
  func show(_ presenter: RenameListPresenter)
  /// Opens the form for a task's title.
  func show(_ presenter: EditTaskPresenter)
}
