import TodoKit

/// The commands that change items. Each resolves to ids first, and is one transaction.
extension Session {
  func add(_ title: String, _ priority: Priority?) throws(Problem) {
    let actions = try actions()
    let chosen = if let priority { priority } else { try defaultPriority() }
    let item = try askingForPriority(chosen) { priority throws(Problem) in
      try actions.add(TaskDraft(title: title, priority: priority))
    }
    let number = listed.append(item.id)
    switch preferences.output {
    case .table: say(.added(String(number), item.title.visible))
    case .json: surroundings.output.write(ItemJSON.object(of: item, number: number) + "\n")
    }
  }

  func setDone(_ targets: [String], _ isDone: Bool) throws(Problem) {
    let selected = try select(targets)
    let items = try actions().perform(.setDone(selected.map(\.item.id), isDone))
    say(items, as: selected) { label, item in
      isDone ? .done(label, item.title.visible) : .undone(label, item.title.visible)
    }
  }

  func edit(_ target: String, _ title: String) throws(Problem) {
    let selected = try select([target])
    guard selected.count == 1 else { throw Problem(.onlyOneItem(target), .usage) }
    let old = selected[0].item
    let items = try actions().perform(.retitle(old.id, to: title))
    say(items, as: selected) { label, item in
      .retitled(label, from: old.title.visible, to: item.title.visible)
    }
  }

  func setPriority(_ targets: [String], _ priority: Priority?) throws(Problem) {
    let selected = try select(targets)
    let actions = try actions()
    let items = try askingForPriority(priority) { priority throws(Problem) in
      try actions.perform(.setPriority(selected.map(\.item.id), priority))
    }
    say(items, as: selected) { label, item in
      .prioritised(label, item.priority, item.title.visible)
    }
  }

  func remove(_ targets: [String]) throws(Problem) {
    let selected = try select(targets)
    if !preferences.assumesYes { try confirmDeletion(of: selected) }
    let items = try actions().perform(.delete(selected.map(\.item.id)))
    say(items, as: selected) { label, item in
      .deleted(label, item.title.visible)
    }
  }

  private func select(_ targets: [String]) throws(Problem) -> [SelectedItem] {
    try ItemSelection(listed: listed, repository: repository()).resolve(targets)
  }

  /// Shows what would be deleted and asks; throws unless the answer is yes.
  private func confirmDeletion(of selected: [SelectedItem]) throws(Problem) {
    guard let questions else { throw Problem(.deletingNeedsYes) }
    let titles = selected.map { "  \($0.label)  \($0.item.title.visible)\n" }
    surroundings.output.flush()
    surroundings.messages.write(titles.joined())
    guard questions.confirm(.deleteQuestion(selected.count)) else {
      throw Problem(.nothingDeleted)
    }
  }

  /// Tries, and asks for a priority when that is what the domain misses.
  private func askingForPriority<Value>(
    _ priority: Priority?, _ attempt: (Priority?) throws(Problem) -> Value
  ) throws(Problem) -> Value {
    do {
      return try attempt(priority)
    } catch {
      guard error.lacksPriority, let answer = questions?.priority() else { throw error }
      return try attempt(answer)
    }
  }

  /// What `TODO_PRIORITY` says, for scripts that do not want to say it each time.
  private func defaultPriority() throws(Problem) -> Priority? {
    guard let word = surroundings.environment["TODO_PRIORITY"], !word.isEmpty
    else { return nil }
    guard let priority = Priority(word: word) else {
      throw Problem(.unknownDefaultPriority(word), .usage)
    }
    return priority
  }
}
