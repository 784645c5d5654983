/// A line editor as a state machine: keys come in, and it says what to do.
///
/// It reads and writes nothing. The keys and their names are those of GNU readline in its emacs
/// mode.
struct LineEditor {
  /// What a key asks the terminal for.
  enum Effect: Equatable {
    /// The line, its cursor or its list has changed.
    case redraw
    /// Nothing could be done.
    case bell
    /// Enter: the line is complete.
    case submit
    /// ^C.
    case interrupt(hadText: Bool)
    /// ^D on an empty line.
    case end
    /// ^L.
    case clearScreen
    /// ^Z.
    case suspend
    /// ^X ^E: the line is edited in the user's own editor.
    case openEditor
  }

  /// A search in the history for lines that contain a text.
  struct Search: Equatable {
    var query = ""
    /// The index of the line that was found; the number of lines at the beginning.
    var index: Int
    /// Whether no line has the query.
    var isFailed = false
    let original: LineBuffer
  }

  private(set) var buffer: LineBuffer
  private(set) var search: Search?
  /// The candidates of the last Tab, until the next key.
  private(set) var candidates: [String] = []

  /// The lines of the history, oldest first.
  private let history: [String]
  /// The text that was there and is no beginning of a line of the history; nil where it was typed.
  private let givenText: String?
  private var historyIndex: Int
  /// The line that was typed, while a line of the history is shown.
  private var draft = ""
  private let suggests: Bool
  private let complete: (String) -> Completion
  private var killed: String
  private var wasKill = false
  private var wasInsert = false
  /// Whether the last key was ^X, which begins a command of two keys.
  private var wasControlX = false
  private var undoable: [LineBuffer] = []

  /// Starts a line.
  ///
  /// - Parameters:
  ///   - text: The text that is there already, with the cursor after it.
  ///   - isGiven: Whether nobody typed the text, so that any line of the history may replace it.
  ///   - killed: What `yank` inserts: the text that an earlier line killed.
  ///   - suggests: Whether the rest of a line of the history is shown after the cursor.
  ///   - complete: The completion of the text before the cursor.
  init(
    _ text: String = "", isGiven: Bool = false, history: [String] = [], killed: String = "",
    suggests: Bool = false,
    complete: @escaping (String) -> Completion = { _ in Completion() }
  ) {
    buffer = LineBuffer(text)
    self.history = history
    givenText = isGiven ? text : nil
    historyIndex = history.count
    self.killed = killed
    self.suggests = suggests
    self.complete = complete
  }

  var text: String { buffer.text }

  /// What `yank` would insert.
  var killedText: String { killed }

  /// The rest of the newest line of the history that begins with the text; empty without one.
  ///
  /// - Complexity: O(n) in the lines of the history.
  var suggestion: String {
    guard suggests, search == nil, buffer.after.isEmpty, !buffer.before.isEmpty else { return "" }
    let text = buffer.before
    guard let line = history.last(where: { $0.utf8.count > text.utf8.count && $0.hasPrefix(text) })
    else { return "" }
    let rest = String(line.dropFirst(text.count))
    return rest.contains("\n") ? "" : rest
  }

  mutating func handle(_ key: Key) -> Effect {
    candidates = []
    return search == nil ? edit(key) : find(key)
  }

  private mutating func edit(_ key: Key) -> Effect {
    let wasKill = wasKill
    let wasInsert = wasInsert
    if wasControlX {
      wasControlX = false
      return key == .control("E") ? .openEditor : .bell
    }
    self.wasKill = false
    self.wasInsert = false
    switch key {
    case .text(let scalar):
      if !wasInsert { undoable.append(buffer) }
      self.wasInsert = true
      buffer.insert(String(Character(scalar)))
      return .redraw
    case .paste(let text): return change { $0.insert(text) }
    case .enter: return .submit
    case .tab: return completed()
    case .left, .control("B"): return change(isEdit: false) { $0.moveLeft() }
    case .right, .control("F"): return forward { $0.moveRight() }
    case .end, .control("E"): return forward { $0.moveToEnd() }
    case .home, .control("A"): return change(isEdit: false) { $0.moveToStart() }
    case .wordLeft, .meta("b"): return change(isEdit: false) { $0.moveWordLeft() }
    case .wordRight, .meta("f"): return forwardWord()
    case .up, .control("P"): return move(inHistoryBy: -1)
    case .down, .control("N"): return move(inHistoryBy: 1)
    case .backspace: return change { _ = $0.removeBefore(1) }
    case .delete: return change { _ = $0.removeAfter(1) }
    case .control("D"):
      if buffer.isEmpty { return .end }
      return change { _ = $0.removeAfter(1) }
    case .control("T"):
      var isDone = false
      _ = change { isDone = $0.transpose() }
      return isDone ? .redraw : .bell
    case .control("K"): return kill(buffer.after.count, isForward: true, joins: wasKill)
    case .control("U"): return kill(buffer.before.count, isForward: false, joins: wasKill)
    case .control("W"): return kill(buffer.blankWordLeftCount, isForward: false, joins: wasKill)
    case .meta("\u{7F}"): return kill(buffer.wordLeftCount, isForward: false, joins: wasKill)
    case .meta("d"): return kill(buffer.wordRightCount, isForward: true, joins: wasKill)
    case .control("Y"):
      let text = killed
      return change { $0.insert(text) }
    case .control("R"):
      search = Search(index: history.count, original: buffer)
      return .redraw
    case .control("_"):
      guard let last = undoable.popLast() else { return .bell }
      buffer = last
      return .redraw
    case .control("C"): return .interrupt(hadText: !buffer.isEmpty)
    case .control("L"): return .clearScreen
    case .control("X"):
      wasControlX = true
      return .redraw
    case .control("Z"): return .suspend
    case .control, .meta, .unknown: return .bell
    }
  }

  /// Changes the line; a bell if that changes nothing.
  private mutating func change(isEdit: Bool = true, _ body: (inout LineBuffer) -> Void) -> Effect {
    var changed = buffer
    body(&changed)
    if changed == buffer { return .bell }
    if isEdit { undoable.append(buffer) }
    buffer = changed
    return .redraw
  }

  /// Moves to the right; at the end of the line it accepts the suggestion.
  private mutating func forward(_ body: (inout LineBuffer) -> Void) -> Effect {
    let rest = suggestion
    if rest.isEmpty { return change(isEdit: false, body) }
    return change { $0.insert(rest) }
  }

  /// Moves by a word; at the end of the line it accepts a word of the suggestion.
  private mutating func forwardWord() -> Effect {
    let suggestion = suggestion
    if suggestion.isEmpty { return change(isEdit: false) { $0.moveWordRight() } }
    let rest = LineBuffer("", suggestion)
    let word = String(rest.after.prefix(max(1, rest.wordRightCount)))
    return change { $0.insert(word) }
  }

  /// Replaces the line by a text, which can be undone.
  mutating func replace(with text: String) { _ = change { $0 = LineBuffer(text) } }

  private mutating func kill(_ count: Int, isForward: Bool, joins: Bool) -> Effect {
    wasKill = true
    if count == 0 { return .bell }
    undoable.append(buffer)
    if isForward {
      let text = buffer.removeAfter(count)
      killed = joins ? killed + text : text
    } else {
      let text = buffer.removeBefore(count)
      killed = joins ? text + killed : text
    }
    return .redraw
  }

  /// Shows an earlier or later line of the history that begins with the text that was typed.
  ///
  /// Any line is shown while the text is the given one: nothing was typed.
  private mutating func move(inHistoryBy step: Int) -> Effect {
    if historyIndex == history.count { draft = buffer.text }
    let typed = draft == givenText ? "" : draft
    var index = historyIndex + step
    while history.indices.contains(index), !history[index].hasPrefix(typed) { index += step }
    guard index >= 0, index <= history.count else { return .bell }
    historyIndex = index
    undoable = []
    buffer = LineBuffer(index == history.count ? draft : history[index])
    return .redraw
  }

  private mutating func completed() -> Effect {
    let completion = complete(buffer.before)
    if completion.insertion.isEmpty, completion.replacedCount == 0 {
      candidates = completion.choices
      return candidates.isEmpty ? .bell : .redraw
    }
    return change { buffer in
      _ = buffer.removeBefore(completion.replacedCount)
      buffer.insert(completion.insertion)
    }
  }
}

/// The incremental search backwards, ^R.
extension LineEditor {
  private mutating func find(_ key: Key) -> Effect {
    switch key {
    case .text(let scalar):
      search?.query += String(Character(scalar))
      return find(from: search?.index ?? history.count)
    case .paste(let text):
      search?.query += text.prefix { $0 != "\n" }
      return find(from: search?.index ?? history.count)
    case .control("R"): return find(from: (search?.index ?? history.count) - 1)
    case .backspace:
      guard var started = search, started.query.popLast() != nil else { return .bell }
      started.index = history.count
      started.isFailed = false
      search = started
      return find(from: history.count)
    case .control("C"), .control("G"):
      buffer = search?.original ?? buffer
      search = nil
      return .redraw
    default:
      search = nil
      let effect = edit(key)
      return effect == .bell ? .redraw : effect
    }
  }

  /// Shows the newest line with the query at an index or before it.
  private mutating func find(from index: Int) -> Effect {
    guard let query = search?.query, !query.isEmpty else { return .redraw }
    let found = history.indices.last { $0 <= index && history[$0].contains(query) }
    search?.isFailed = found == nil
    guard let found, let range = history[found].firstRange(of: query) else { return .redraw }
    search?.index = found
    historyIndex = found
    let line = history[found]
    buffer = LineBuffer(String(line[..<range.lowerBound]), String(line[range.lowerBound...]))
    return .redraw
  }
}
