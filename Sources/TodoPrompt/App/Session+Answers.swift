import TodoKit

/// What a session prints: results on one stream, everything else on the other.
extension Session {
  /// Prints a result for people.
  func say(_ text: LocalizedText) {
    environment.output.write(text.text(in: preferences.language) + "\n")
  }

  /// Prints changed items in the order of their selection: a text for each, or one JSON list.
  func say(
    _ items: [TodoItem], as selected: [SelectedItem],
    _ text: (_ label: String, TodoItem) -> LocalizedText
  ) throws(CommandError) {
    switch preferences.output {
    case .table:
      for (item, selection) in zip(items, selected) { say(text(selection.label, item)) }
    case .json:
      try sayList(items, numbers: selected.map(\.number))
    }
  }

  /// Prints a change of items, or for each item that there was nothing to change.
  func say(
    _ change: CommandResult, as selected: [SelectedItem],
    _ text: (_ label: String, TodoItem) -> LocalizedText
  ) throws(CommandError) {
    try say(change.items, as: selected) { label, item in
      change.isNoOp ? .nothingToChange(item.title.visible) : text(label, item)
    }
  }

  /// Prints the answer to an undo or a redo.
  func say(_ change: CommandResult, _ text: LocalizedText) throws(CommandError) {
    switch preferences.output {
    case .table: say(text)
    case .json: try sayObject(change.items, change.groups)
    }
  }

  /// Prints one item as a JSON object.
  func sayObject(of item: TodoItem, number: Int?, group: String?) {
    environment.output.write(ItemJSON.object(of: item, number: number, group: group) + "\n")
  }

  /// Prints items as one JSON list.
  func sayList(_ items: [TodoItem], numbers: [Int?]) throws(CommandError) {
    let names = try groupNames(of: items)
    let objects = zip(items, numbers).map { item, number in
      ItemJSON.object(of: item, number: number, group: names[item])
    }
    environment.output.write(ItemJSON.array(of: objects))
  }

  /// Prints items and groups together, as one JSON object.
  func sayObject(_ items: [TodoItem], _ groups: [TodoGroup]) throws(CommandError) {
    let known = try self.groups().groups
    // Items that were deleted with their groups have the names and counts of these groups.
    let names = GroupNames(known.map(\.group) + groups)
    let objects = items.map { item in
      ItemJSON.object(of: item, number: listed.number(of: item.id), group: names[item])
    }
    let groupObjects = groups.map { group in
      let gone = items.filter { $0.groupID == group.id }
      let counted = Tally(total: gone.count, done: gone.count(where: \.isDone))
      let tally = known.first { $0.id == group.id }?.tally ?? counted
      return ItemJSON.object(of: group, tally: tally)
    }
    let fields = [
      ("items", "[" + objects.joined(separator: ",") + "]"),
      ("groups", "[" + groupObjects.joined(separator: ",") + "]"),
    ]
    environment.output.write(ItemJSON.object(fields) + "\n")
  }

  /// Prints numbered items; the names of their groups only if the list is not one group's.
  func sayTable(_ items: [TodoItem], in list: ItemList) throws(CommandError) {
    var names = GroupNames()
    if case .group = list {} else { names = try groupNames(of: items) }
    let count = ShortID.count(for: items.map(\.id))
    let rows = items.enumerated().map { index, item in
      ItemTable.Row(
        number: index + 1, item: item, shortID: ShortID.text(of: item.id, count: count),
        group: names[item])
    }
    let output = environment.output
    let table = ItemTable(
      rows: rows, language: preferences.language, styler: styler(for: output),
      columns: output.columns)
    output.write(table.text)
  }

  /// Prints a hint, after the results so far.
  func hint(_ text: LocalizedText) {
    tell(text.text(in: preferences.language)) { $0 }
  }

  /// Prints an error, after the results so far.
  ///
  /// - Parameter place: Where in a script it happened; nil elsewhere.
  func report(_ error: CommandError, at place: ScriptRunner.Place? = nil) {
    let language = preferences.language
    var text = error.text(in: language)
    if let place {
      text = "\(place.name.text(in: language)): \(text)"
      // A line that could not be decoded has no text to repeat.
      if !place.line.isEmpty { text += "\n    \(place.line.visible)" }
    }
    tell(text) { styler(for: environment.messages).styled($0, .red) }
  }

  /// Colours for a stream.
  func styler(for stream: any TextOutput) -> ANSIStyler {
    ANSIStyler(
      isOn: preferences.color.isOn(
        isTerminal: stream.isTerminal, environment: environment.variables))
  }

  private func tell(_ text: String, _ style: (String) -> String) {
    environment.output.flush()
    environment.messages.write(style(text.visibleLines) + "\n")
    environment.messages.flush()
  }

  /// Questions to the user; nil if no user can be asked.
  var questions: Questions? {
    environment.answers.map { Questions(source: $0, language: preferences.language) }
  }

  /// Shows what would be deleted and asks; throws unless the answer is yes.
  func confirm(
    _ question: LocalizedText, showing titles: [String] = [], command: String
  ) throws(CommandError) {
    if preferences.assumesYes { return }
    guard let questions else { throw CommandError(.deletingNeedsYes(command)) }
    environment.output.flush()
    environment.messages.write(titles.joined())
    guard questions.confirm(question) else { throw CommandError(.nothingDeleted) }
  }
}
