package import CroftFoundation
package import Presentation
package import TodoKit

extension ListState {
  /// Applies one event: a pure function of state and event.
  ///
  /// - Returns: The effects to be run.
  package mutating func reduce(_ step: ListEvent) -> [ListEffect] {
    switch step {
    case .user(let intent): return reduce(intent)
    case .itemsRead(let sections): items = .loaded(sections)
    case .groupRead(let group):
      if let group { self.group = group }
      isGone = group == nil
    case .readFailed(let error):
      items = items.failing(with: error)
      self.error = error
    case .asked(let new):
      let old = question
      succeed()
      question = new
      return old.map { [.cancel(token: $0.token)] } ?? []
    case .committed(let result):
      succeed()
      self.result = result
      if sheet?.isSaving ?? false { sheet = nil }
    case .failed(let error):
      self.error = error
      result = nil
      sheet?.isSaving = false
    }
    return []
  }

  /// Removes what went wrong before.
  private mutating func succeed() {
    error = nil
    issues = []
  }

  private mutating func reduce(_ intent: ListIntent) -> [ListEffect] {
    switch intent {
    case .reload:
      error = nil
      items = items.loading()
      return [.read]
    case .toggleDone, .toggleImportant, .setPriority, .createTask, .retitleTask, .renameGroup:
      return change(intent)
    case .openSheet(let mode): open(mode)
    case .type(let text):
      sheet?.text = text
      issues = []
    case .save: return save()
    case .closeSheet:
      sheet = nil
      issues = []
    case .askToDelete(let ids): return [.ask(items: ids)]
    case .askToDeleteGroup:
      guard capabilities.canDelete, let id = list.groupID else { return refuse() }
      return [.askGroup(id: id)]
    case .answer(let token, let isYes):
      // Before the answer is carried out, so that the dialog does not flash again.
      if question?.token == token { question = nil }
      return [isYes ? .confirm(token: token) : .cancel(token: token)]
    case .dismissError:
      let isConflict = error?.code == .changedSince
      error = nil
      // The user knows what has changed: saving once more overwrites it.
      if isConflict, let mode = sheet?.mode {
        let seen = seen(for: mode)
        sheet?.seen = seen
      }
    }
    return []
  }
}

// What changes items and groups.
extension ListState {
  private mutating func change(_ intent: ListIntent) -> [ListEffect] {
    switch intent {
    case .toggleDone(let id): return edit(id) { ItemPatch(isDone: !$0.isDone) }
    case .toggleImportant(let id): return edit(id) { ItemPatch(isImportant: !$0.isImportant) }
    case .setPriority(let id, let chosen): return accept(.setPriority([id], chosen))
    case .createTask(let typed):
      guard capabilities.canAdd else { return refuse() }
      return accept(Validator<String, String>.title.at(.title).validate(typed)) { .add(title: $0) }
    case .retitleTask(let id, let typed): return retitle(id, to: typed, ifStill: shown(id))
    case .renameGroup(let typed): return rename(to: typed, ifStill: group)
    // Everything else changes what is shown alone.
    default: return []
    }
  }

  /// Changes a title, unless somebody else has changed it since the user saw it.
  private mutating func retitle(
    _ id: UUID, to typed: String, ifStill seen: TodoItem?
  ) -> [ListEffect] {
    accept(.retitle(id, to: typed, ifStill: seen))
  }

  /// Changes the group's name, unless somebody else has changed it since the user saw it.
  private mutating func rename(to typed: String, ifStill seen: TodoGroup?) -> [ListEffect] {
    guard capabilities.canRename, let id = list.groupID else { return refuse() }
    return accept(.editGroup(id, GroupPatch(name: typed), ifStill: seen))
  }

  private func shown(_ id: UUID) -> TodoItem? { items.value?.all.first { $0.id == id } }

  /// Changes an item to what it is not, as far as the user can see.
  private mutating func edit(_ id: UUID, _ patch: (TodoItem) -> ItemPatch) -> [ListEffect] {
    guard let item = shown(id) else {
      // A tap on the row of a deleted item is an error, not nothing.
      error = PresentableError(TodoError.notFound(id))
      return []
    }
    return [.perform(.editItems(ids: [id], patch: patch(item)))]
  }

  private mutating func accept(_ action: TodoAction) -> [ListEffect] {
    accept(action.command) { .perform($0) }
  }

  private mutating func accept<Value>(
    _ input: Validated<Value>, _ work: (Value) -> ListEffect
  ) -> [ListEffect] {
    guard case .valid(let value, _) = input else {
      issues = input.issues
      return []
    }
    issues = []
    return [work(value)]
  }

  private mutating func refuse() -> [ListEffect] {
    issues = [ValidationIssue(.listIsFixed)]
    return []
  }
}

// What is typed on the sheet.
extension ListState {
  private mutating func open(_ mode: ListSheet.Mode) {
    issues = []
    switch mode {
    case .create:
      if capabilities.canAdd { sheet = ListSheet(mode: mode, text: "") } else { _ = refuse() }
    case .rename:
      guard capabilities.canRename else { return _ = refuse() }
      sheet = ListSheet(mode: mode, text: group?.name ?? "", seen: seen(for: mode))
    case .retitle(let id):
      guard let item = shown(id) else {
        return error = PresentableError(TodoError.notFound(id))
      }
      sheet = ListSheet(mode: mode, text: item.title, seen: seen(for: mode))
    }
  }

  /// What the list shows of what a sheet changes.
  private func seen(for mode: ListSheet.Mode) -> ExpectedState {
    switch mode {
    case .create: ExpectedState()
    case .retitle(let id): ExpectedState(items: shown(id).map { [$0] } ?? [])
    case .rename: ExpectedState(groups: group.map { [$0] } ?? [])
    }
  }

  private mutating func save() -> [ListEffect] {
    guard let sheet, !sheet.isSaving else { return [] }
    let work =
      switch sheet.mode {
      case .create: change(.createTask(title: sheet.text))
      case .retitle(let id): retitle(id, to: sheet.text, ifStill: sheet.seen.items.first)
      case .rename: rename(to: sheet.text, ifStill: sheet.seen.groups.first)
      }
    self.sheet?.isSaving = !work.isEmpty
    return work
  }
}

/// An event that changes the state of a list: an intent of the user, or a result.
package enum ListEvent: Equatable, Sendable {
  /// The user did something.
  case user(ListIntent)
  /// The list was read, or has changed.
  case itemsRead(ItemSections)
  /// The list's group was read, or has changed; nil if the list has no group.
  case groupRead(TodoGroup?)
  /// List or group cannot be read.
  case readFailed(PresentableError)
  /// A deletion waits for the user's answer.
  case asked(PendingDeletion)
  /// The change is stored.
  case committed(CommandResult)
  /// The change failed.
  case failed(PresentableError)
}

/// A side effect that an intent asks for, as a value that a test can compare.
package enum ListEffect: Hashable, Sendable {
  /// Reads the list and its group, and observes their changes.
  case read
  /// Makes an item of an accepted title.
  case add(title: String)
  /// Performs a command.
  case perform(TodoCommand)
  /// Asks for the deletion of items.
  case ask(items: [UUID])
  /// Asks for the deletion of a group.
  case askGroup(id: UUID)
  /// Deletes the objects in a question.
  case confirm(token: UUID)
  /// Closes a question without deleting anything.
  case cancel(token: UUID)
}
