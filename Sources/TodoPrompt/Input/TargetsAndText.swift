import TodoFormats

/// The words of a line that names items first, and then says what becomes of them.
///
/// Which of them name items is known when the line runs: a word that names an item is never
/// text, unless `--` is before it.
struct TargetsAndText: Equatable {
  /// The words before `--`, at least one; the first one always names items.
  let words: [String]
  /// The words after `--`, which name no items.
  let literalWords: [String]

  /// Splits the words where they stop naming items.
  ///
  /// Numbers of up to three digits and ranges name items, and so do longer numbers and endings of
  /// ids that an item has. Where the first word is a term, all terms after it name items.
  ///
  /// - Parameter tags: Whether a `#tag` after the first word is text, for verbs that take tags.
  func split(
    for command: any Command.Type, tags: Bool = false, in session: Session
  ) throws -> (targets: [String], text: [String]) {
    let selection = try session.selection()
    let takesTerms = try words.searchTerm(at: 0) != nil
    var count = 1
    if let (_, end) = try words.searchTerm(at: 0) { count = end }
    while count < words.count {
      if takesTerms, !(tags && words[count].hasPrefix("#")),
        let (_, end) = try words.searchTerm(at: count)
      {
        count = end
      } else if try selection.names(words[count]) {
        count += 1
      } else {
        break
      }
    }
    let text = words[count...] + literalWords
    if text.isEmpty {
      let error = CommandError(.needsMore(command), .usage)
      guard count > 1 else { throw error }
      let last = words[count - 1].visible
      throw error.hinting(
        "\"\(last)\" names an item here. Put -- before it if it is text.",
        "여기서 \(last.inQuotes(.topic)) 할일을 가리킵니다. 글자로 쓰려면 앞에 --를 쓰세요.")
    }
    return (Array(words[..<count]), Array(text))
  }

  /// Splits one word that names items from the text after it.
  func splitOne(
    for command: any Command.Type, in session: Session
  ) throws -> (target: String, text: [String]) {
    if words.count > 1, try session.selection().names(words[1]) {
      throw CommandError(
        """
        Only one item can be meant here, and "\(words[1].visible)" names another one. \
        Put -- before it if it is text.
        """, "여기에는 할일을 하나만 쓸 수 있는데 \"\(words[1].visible)\"도 할일을 가리킵니다. 글자로 쓰려면 앞에 --를 쓰세요.", .usage)
    }
    return (words[0], Array(words.dropFirst()) + literalWords)
  }
}

extension TargetsAndText {
  /// Takes the words of a line.
  ///
  /// - Parameter needsText: Whether more than an item must be there.
  init(_ input: CommandInput, of command: any Command.Type, needsText: Bool = true) throws {
    words = try command.targets(in: input.words)
    literalWords = input.literalWords
    if needsText, input.allWords.count == 1 {
      throw CommandError(.needsMore(command), .usage)
    }
  }
}
