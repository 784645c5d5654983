extension Store {
  /// The commits from now on, one after the other, with what each did to the objects of each model.
  ///
  /// ```swift
  /// for await commit in store.commits {
  ///   for delta in try commit.changes(of: TodoItem.self) ?? [] { index(delta) }
  /// }
  /// ```
  /// Each commit comes once. Who is slower than the writers gets those that wait put together as
  /// one, which says that something changed and not what. While somebody iterates, the rows of all
  /// models are noted at every write.
  public var commits: LiveChanges<Commit> {
    LiveChanges { [self] failure in
      let number = live.makeNumber()
      let observation = CommitObservation(
        number, onFailure: failureHandler(of: number, nil, failure))
      return ChangeIterator(observation, of: self)
    }
  }
}
