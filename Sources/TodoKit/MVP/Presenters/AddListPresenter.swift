/// Presents the form for a new list.
///
/// Threads: one, that of the view.
public final class AddListPresenter: FormPresenter {
  /// The user wants the list to be made, under the name that was typed or one made of it.
  ///
  /// A name with nothing to read is an alert.
  public func rightBarButtonTapped(_ input: String) {
    submit {
      try repository.perform(validating: .addGroup(GroupDraft(name: input))).groups[0].name
    }
  }
}
