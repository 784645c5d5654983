import LineEditing
import TodoFormats
import TodoKit

/// What a session prints: results on one stream, everything else on the other.
extension Session {
  /// Prints a result for people.
  func say(_ text: LocalizedText) {
    environment.output.write(text.text(in: preferences.language) + "\n")
  }

  func say(_ english: String, _ korean: String) { say(LocalizedText(english, korean)) }

  /// Prints changed items in the order of their selection: a text for each, or one JSON list.
  func say(
    _ items: [TodoItem], as selected: [SelectedItem],
    _ text: (_ label: String, TodoItem) -> LocalizedText
  ) throws {
    if let format = preferences.output.records {
      return try say(items, numbers: selected.map(\.number), as: format)
    }
    for (item, selection) in zip(items, selected).prefix(Self.answersMax) {
      say(text(selection.label, item))
    }
    if items.count > Self.answersMax { say(.moreAnswers(items.count - Self.answersMax)) }
  }

  /// How many items a change answers about one by one; of the others there is the number.
  static let answersMax = 20

  /// Prints a change of items, or for each item that there was nothing to change.
  func say(
    _ change: CommandResult, as selected: [SelectedItem],
    _ text: (_ label: String, TodoItem) -> LocalizedText
  ) throws {
    // Completing a repeating item creates its next occurrence, listed last.
    let again = change.items.dropFirst(selected.count).map { item in
      SelectedItem(item: item, number: newNumber(of: item))
    }
    let old = Dictionary(selected.map { ($0.item.id, $0.item) }) { first, _ in first }
    try say(change.items, as: selected + again) { label, item in
      guard let old = old[item.id] else {
        return LocalizedText("Next", "다음").about(
          label, item, ItemExtras(of: item, group: nil).text)
      }
      let isUnchanged = ItemPatch(from: old, to: item) == ItemPatch()
      return isUnchanged ? .nothingToChange(item.title.visible) : text(label, item)
    }
  }

  /// The number of an item that was just added; nil where no later line can use it.
  func newNumber(of item: TodoItem) -> Int? {
    let number = listed.append(item.id)
    return keepsNumbers ? number : nil
  }

  /// Prints the answer to a change of items and groups.
  func say(_ change: CommandResult, _ text: LocalizedText) throws {
    if let format = preferences.output.records {
      try say(change.items, change.groups, as: format)
    } else {
      say(text)
    }
  }

  /// Prints that a list has nothing for a command: no record, and a hint.
  func sayNothing(_ hint: LocalizedText) throws {
    if let format = preferences.output.records { try say([], numbers: [], as: format) }
    self.hint(hint)
  }

  func say(_ record: OutputRecord, as format: RecordFormat) {
    environment.output.write(format.text(of: shown([record], as: format)[0]))
  }

  func say(_ items: [TodoItem], numbers: [Int?], as format: RecordFormat) throws {
    let names = try groupNames(of: items)
    let records = zip(items, numbers).map { item, number in
      OutputRecord(item, number: number, group: names[item])
    }
    say(records, keys: OutputRecord.itemKeys, as: format)
  }

  /// Prints the items of a list as records, some at a time, and makes it the last list.
  ///
  /// - Returns: Whether there were any.
  /// - Throws: What the list's reading throws; an error with the status `interrupted` after ^C.
  func stream(
    _ list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort,
    as format: RecordFormat
  ) throws -> Bool {
    let output = environment.output
    // Numbers never count in the list before: ^C may end the printing.
    listed = ListedItems()
    rememberList()
    output.write(format.heading(OutputRecord.itemKeys))
    try repository().forEachPortion(in: list, meeting: conditions, sortedBy: sort) {
      items, groups in
      if Interrupts.isRequested { throw CancellationError() }
      let names = GroupNames(groups)
      let records = items.enumerated().map { index, item in
        OutputRecord(item, number: listed.count + index + 1, group: names[item])
      }
      output.write(format.text(of: shown(records, as: format), isFirst: listed.count == 0))
      for item in items { _ = listed.append(item.id) }
    }
    output.write(format.ending(isEmpty: listed.count == 0))
    return listed.count > 0
  }

  func say(_ groups: [(group: TodoGroup, tally: Tally)], as format: RecordFormat) {
    let records = groups.map { OutputRecord($0.group, tally: $0.tally) }
    say(records, keys: OutputRecord.groupKeys, as: format)
  }

  /// Prints items and groups together: in JSON as one object, else the items, and then the groups.
  ///
  /// A table of values has one kind of rows: items, or groups where there are no items.
  func say(_ items: [TodoItem], _ groups: [TodoGroup], as format: RecordFormat) throws {
    // Items that were deleted with their groups have the names and counts of these groups.
    let names = try groupNames(of: items).adding(groups)
    let itemRecords = items.map { item in
      OutputRecord(item, number: listed.number(of: item.id), group: names[item])
    }
    let groupRecords = try groups.map { group in
      let stored = try repository().group(group.id)
      let tally = try stored.map { try repository().tally(of: .group(id: $0.id)) }
      let gone = tally == nil ? items.filter { $0.groupID == group.id } : []
      let counted = Tally(total: gone.count, done: gone.count(where: \.isDone))
      return OutputRecord(group, tally: tally ?? counted)
    }
    switch format {
    case .json:
      let fields = [
        ("items", String(jsonArray: itemRecords.map(\.json))),
        ("groups", String(jsonArray: groupRecords.map(\.json))),
      ]
      environment.output.write(String(jsonObject: fields) + "\n")
    case .ndjson: say(itemRecords + groupRecords, keys: [], as: format)
    case .csv, .tsv, .md:
      if items.isEmpty {
        say(groupRecords, keys: OutputRecord.groupKeys, as: format)
      } else {
        say(itemRecords, keys: OutputRecord.itemKeys, as: format)
      }
    }
  }

  private func say(_ records: [OutputRecord], keys: [String], as format: RecordFormat) {
    environment.output.write(format.text(of: shown(records, as: format), keys: keys))
  }

  /// Records without what a terminal would act on, where they are shown on one.
  private func shown(_ records: [OutputRecord], as format: RecordFormat) -> [OutputRecord] {
    // JSON has it escaped in any case.
    let isSafe = format == .json || format == .ndjson || !environment.output.isTerminal
    return isSafe ? records : records.map(\.visible)
  }

  /// Prints numbered items; the names of their groups only if the list is not one group's.
  ///
  /// - Parameters:
  ///   - hidden: How many more items there are, which are not shown.
  ///   - waiting: How many items are hidden until a later day.
  func sayTable(
    _ items: [TodoItem], in list: ItemList, hidden: Tally = Tally(total: 0, done: 0),
    waiting: Int = 0
  ) throws {
    var table = try table(items, groups: try groupNames(of: items), in: list, hidden: hidden)
    table.waiting = waiting
    environment.output.write(table.text)
  }

  /// The table of numbered items, with the names of their groups unless the list is one group's.
  func table(
    _ items: [TodoItem], groups: GroupNames, in list: ItemList, hidden: Tally
  ) throws -> ItemTable {
    let names = if case .group = list { GroupNames() } else { groups }
    let count = try shortIDCount(for: items)
    let rows = items.enumerated().map { index, item in
      ItemTable.Row(
        number: index + 1, item: item, shortID: ShortID.text(of: item.id, count: count),
        group: names[item])
    }
    return ItemTable(
      rows: rows, language: preferences.language, styler: styler(for: environment.output),
      columns: resultColumns, today: environment.clock.today, time: environment.clock.time,
      view: view, glyphs: glyphs, hidden: hidden)
  }

  /// How many digits of the ids of a list name one item of the whole store each.
  ///
  /// Of a longer list the number is one at which another item hardly has the same digits.
  private func shortIDCount(for items: [TodoItem]) throws -> Int {
    var count = ShortID.count(for: items.map(\.id))
    let isLong = items.count > Self.exactIDsMax
    let repository = try repository()
    if isLong { return max(count, ShortID.count(among: try repository.tally(of: .all).total)) }
    for item in items {
      while let ending = ShortID(ShortID.text(of: item.id, count: count)),
        ending.wholeID == nil, try repository.items(endingIn: ending).count > 1
      {
        count += 1
      }
    }
    return count
  }

  /// The most items of a list whose ids are compared with those of all items.
  private static let exactIDsMax = 200

  /// Prints a hint, after the results so far.
  func hint(_ text: LocalizedText) {
    tell(text.text(in: preferences.language)) { $0 }
  }

  func hint(_ english: String, _ korean: String) { hint(LocalizedText(english, korean)) }

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

  /// The width that lines of results must fit; nil for lines of any length.
  var resultColumns: Int? {
    preferences.output == .plain ? nil : environment.output.columns
  }

  /// How lists are shown: as the settings say on a terminal, and as tables elsewhere.
  var view: ListView {
    preferences.output == .table && environment.output.isTerminal ? config.view : .table
  }

  /// The signs of bars and check marks, which are ASCII in plain output.
  var glyphs: Glyphs { preferences.output == .plain ? Glyphs() : config.glyphs }

  /// Whether an item has several lines.
  var showsRecords: Bool {
    view == .cards || resultColumns.map { $0 < ItemTable.recordColumns } ?? false
  }

  func styler(for stream: any TextOutput) -> ANSIStyler {
    ANSIStyler(
      isOn: preferences.output != .plain
        && preferences.color.isOn(
          isTerminal: stream.isTerminal, environment: environment.variables),
      depth: ColorDepth(environment: environment.variables), theme: config.theme)
  }

  private func tell(_ text: String, _ style: (String) -> String) {
    environment.output.flush()
    environment.messages.show(style(text.visibleLines) + "\n")
  }

  /// Questions to the user; nil if no user can be asked.
  var questions: Questions? {
    environment.answers.map { Questions(source: $0, language: preferences.language) }
  }

  /// Shows what would be deleted and asks; throws unless the answer is yes.
  ///
  /// - Parameter refusal: The error for a no.
  func confirm(
    _ question: LocalizedText, command: String, refusal: LocalizedText = .nothingDeleted
  ) throws {
    if preferences.assumesYes { return }
    guard try askedQuestions(command).confirm(question) else { throw CommandError(refusal) }
  }

  private func askedQuestions(_ command: String) throws -> Questions {
    guard let questions else { throw CommandError(.deletingNeedsYes(command)) }
    environment.output.flush()
    return questions
  }

  /// The items that the user wants to be deleted: all of them with `--yes`.
  ///
  /// - Throws: An error if the user wants none, or nobody can be asked.
  func confirmed(
    _ selected: [SelectedItem], by question: LocalizedText,
    each: (SelectedItem) -> LocalizedText, command: String
  ) throws -> [SelectedItem] {
    if preferences.assumesYes { return selected }
    let questions = try askedQuestions(command)
    for item in selected.prefix(Self.answersMax) {
      environment.messages.write("  \(item.label)  \(item.item.title.visible)\n")
    }
    if selected.count > Self.answersMax {
      let more = LocalizedText.moreAnswers(selected.count - Self.answersMax)
      environment.messages.write("  \(more.text(in: preferences.language))\n")
    }
    let chosen = questions.chosen(by: question, each: selected.map(each))
    if chosen.isEmpty { throw CommandError(.nothingDeleted) }
    return chosen.map { selected[$0] }
  }
}

extension LocalizedText {
  /// An answer about an item: the text, then the item's number and title.
  func about(
    _ label: String, _ item: TodoItem, _ more: LocalizedText = LocalizedText("", "")
  ) -> LocalizedText {
    let about = " \(label): \(item.title.visible)"
    return LocalizedText(english + about + more.english, korean + about + more.korean)
  }

  fileprivate static func moreAnswers(_ count: Int) -> LocalizedText {
    LocalizedText(
      "... and \(count) more \(count == 1 ? "item" : "items").",
      "... 외 \(LocalizedText.items(count).korean).")
  }
}
