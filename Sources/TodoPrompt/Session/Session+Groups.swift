import TodoKit

/// The commands about groups. Each resolves names to ids first, and is one transaction.
extension Session {
  func perform(_ request: GroupRequest) throws(Problem) {
    switch request {
    case .list: try listGroups()
    case .add(let name, let color):
      let added = try groupActions().perform(.addGroup(GroupDraft(name: name, color: color)))
      try say(added.groups[0], .addedGroup(added.groups[0].name.visible))
    case .edit(let name, let newName, let color):
      let old = try groups().group(name)
      let patch = GroupPatch(name: newName, color: color)
      let edited = try groupActions().perform(.editGroup(old.id, patch))
      try say(
        edited,
        .changedGroup(
          old.name.visible, to: edited.groups[0].name.visible, color: color?.description))
    case .move(let name, let place): try moveGroup(name, to: place)
    case .remove(let name): try removeGroup(name)
    }
  }

  /// The changes that can be made to groups.
  private func groupActions() throws(Problem) -> GroupActions {
    GroupActions(repository: try repository())
  }

  private func say(_ group: TodoGroup, _ phrase: Phrase) throws(Problem) {
    switch preferences.output {
    case .table: say(phrase)
    case .json:
      let tally = try read { repository throws in try repository.tally(of: .group(id: group.id)) }
      surroundings.output.write(ItemJSON.object(of: group, tally: tally) + "\n")
    }
  }

  /// Prints a changed group, or that there was nothing to change.
  private func say(_ edited: CommandResult, _ phrase: Phrase) throws(Problem) {
    let name = edited.groups[0].name.visible
    try say(edited.groups[0], edited.isNoOp ? .nothingToChange(name) : phrase)
  }

  private func listGroups() throws(Problem) {
    let groups = try groups().groups
    switch preferences.output {
    case .table:
      let important = try read { repository throws in try repository.tally(of: .important) }
      let stream = surroundings.output
      let table = GroupTable(
        groups: groups, important: important, language: preferences.language,
        painter: painter(for: stream), columns: stream.columns)
      // On a first start there is only something to learn.
      if !groups.isEmpty || important.total > 0 { stream.write(table.text) }
    case .json:
      let objects = groups.map { ItemJSON.object(of: $0.group, tally: $0.tally) }
      surroundings.output.write(ItemJSON.array(of: objects))
    }
    if groups.isEmpty { hint(.noGroups) }
  }

  private func moveGroup(_ name: String, to place: TypedPlace) throws(Problem) {
    let groups = try groups()
    let group = try groups.group(name)
    let (resolved, placeName): (Position, Phrase)
    switch place {
    case .first: (resolved, placeName) = (.first, .atTheTop)
    case .last: (resolved, placeName) = (.last, .atTheBottom)
    case .before(let name):
      let neighbor = try neighbor(name, of: group, in: groups)
      (resolved, placeName) = (.before(id: neighbor.id), .before(neighbor.name.visible))
    case .after(let name):
      let neighbor = try neighbor(name, of: group, in: groups)
      (resolved, placeName) = (.after(id: neighbor.id), .after(neighbor.name.visible))
    }
    let moved = try groupActions().perform(.moveGroup(group.id, to: resolved))
    try say(moved, .movedGroup(moved.groups[0].name.visible, placeName))
  }

  /// The group beside which another one is put.
  private func neighbor(
    _ name: String, of group: TodoGroup, in groups: GroupSelection
  ) throws(Problem) -> TodoGroup {
    let neighbor = try groups.group(name)
    if neighbor.id == group.id { throw Problem(.besideItself(group.name.visible)) }
    return neighbor
  }

  /// Names the group and how much goes with it, asks, and deletes exactly that.
  private func removeGroup(_ name: String) throws(Problem) {
    let group = try groups().group(name)
    let actions = try groupActions()
    let question = try actions.requestDeletion(of: group.id)
    let phrase = Phrase.deleteGroupQuestion(group.name.visible, question.items.count)
    try confirm(phrase, command: "group rm")
    let report: CommandResult
    do throws(Problem) {
      report = try actions.perform(question.action)
    } catch {
      throw error.naming([group.id: group.name])
    }
    switch preferences.output {
    case .table: say(.deletedGroup(group.name.visible, report.items.count))
    case .json: try sayObject(report.items, report.groups)
    }
  }
}
