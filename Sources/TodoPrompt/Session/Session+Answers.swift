import TodoKit

/// What goes out: results on one stream, everything else on the other.
extension Session {
  /// Prints a result for people.
  func say(_ phrase: Phrase) {
    surroundings.output.write(phrase.text(in: preferences.language) + "\n")
  }

  /// Prints changed items, in the order in which they were selected: a phrase each, or one
  /// JSON list.
  func say(
    _ items: [TodoItem], as selected: [SelectedItem], _ phrase: (String, TodoItem) -> Phrase
  ) throws(Problem) {
    switch preferences.output {
    case .table:
      for (item, selection) in zip(items, selected) { say(phrase(selection.label, item)) }
    case .json:
      try sayList(items, numbers: selected.map(\.number))
    }
  }

  /// Prints a change of items, or that there was nothing to change.
  func say(
    _ change: ItemListViewModel.Change, as selected: [SelectedItem],
    _ phrase: (String, TodoItem) -> Phrase
  ) throws(Problem) {
    try say(change.items, as: selected) { label, item in
      change.isNoOp ? .nothingToChange(item.title.visible) : phrase(label, item)
    }
  }

  /// Prints items as one JSON list.
  func sayList(_ items: [TodoItem], numbers: [Int?]) throws(Problem) {
    let names = try groupNames(of: items)
    let objects = zip(items, numbers).map { item, number in
      ItemJSON.object(of: item, number: number, group: names[item])
    }
    surroundings.output.write(ItemJSON.array(of: objects))
  }

  /// Prints a hint, after the results so far.
  func hint(_ phrase: Phrase) {
    tell(phrase.text(in: preferences.language)) { $0 }
  }

  /// Prints a problem, after the results so far.
  ///
  /// - Parameter place: Where in a script it happened, and the command; nil elsewhere.
  func report(_ problem: Problem, at place: (phrase: Phrase, text: String)? = nil) {
    let language = preferences.language
    var text = problem.text(in: language)
    if let place {
      text = "\(place.phrase.text(in: language)): \(text)"
      // A line that could not be read has no text to repeat.
      if !place.text.isEmpty { text += "\n    \(place.text.visible)" }
    }
    tell(text) { painter(for: surroundings.messages).paint($0, .red) }
  }

  /// Colours for a stream.
  func painter(for stream: any TextOutput) -> Painter {
    Painter(
      isOn: preferences.color.isOn(
        isTerminal: stream.isTerminal, environment: surroundings.environment))
  }

  private func tell(_ text: String, _ paint: (String) -> String) {
    surroundings.output.flush()
    surroundings.messages.write(paint(text.visibleLines) + "\n")
    surroundings.messages.flush()
  }

  /// Questions, where somebody can be asked.
  var questions: Questions? {
    surroundings.answers.map { Questions(source: $0, language: preferences.language) }
  }
}
