/// Presents the form for a new list.
///
/// Threads: one, that of the view.
public final class AddListPresenter: FormPresenter {
  /// The user wants the list to be made, under the name that was typed or one made of it.
  public func rightBarButtonTapped(_ input: String) {
    submit { try repository.createGroup(name: input).name }
  }
}
