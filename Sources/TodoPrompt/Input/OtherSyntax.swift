import TodoFormats

/// The syntax of other programs in a title, which is text here.
///
/// The signs are those of Taskwarrior and todo.txt.
enum OtherSyntax {
  /// What is here in place of a sign.
  private enum Replacement {
    /// Another sign, with the same word after it in lower case.
    case sign(String)
    /// Another sign, with the same name after it.
    case nameSign(String)
    /// Nothing, and what to do about it.
    case advice(LocalizedText)
  }

  private static let replacements: [(keys: [String], replacement: Replacement)] = [
    (["project:", "proj:"], .nameSign("@")), (["pri:", "priority:"], .sign("!")),
    (["scheduled:", "sched:", "t:"], .sign("wait:")), (["recur:", "rec:"], .sign("every:")),
    (
      ["depends:", "dep:"],
      .advice(
        LocalizedText(
          "Items have no dependencies here: hide it with wait:DAY, or write a note.",
          "여기에는 의존 관계가 없습니다. wait:날로 숨기거나 메모를 쓰세요."))
    ),
    (
      ["until:"],
      .advice(
        LocalizedText(
          "Items do not expire here: set a day with due:DAY.", "여기에는 만료일이 없습니다. due:날을 쓰세요."))
    ),
    (
      ["start:", "entry:", "end:"],
      .advice(
        LocalizedText(
          "The times of an item are kept by the program.", "할일의 시각은 프로그램이 기록합니다."))
    ),
  ]

  /// What to write in place of the first such sign of a title; nil without one.
  static func hint(for title: String) -> LocalizedText? {
    let words = title.split(separator: " ").map(String.init)
    if let first = words.first, isPriority(first) {
      return partOfTitle(
        first,
        LocalizedText("Write priorities as !h, !n and !l.", "중요도는 !h, !n, !l로 쓰세요."))
    }
    for (keys, replacement) in replacements {
      for key in keys {
        guard let word = words.first(where: { $0.after(key) != nil }) else { continue }
        switch replacement {
        case .advice(let advice): return partOfTitle(word, advice)
        case .sign(let sign): return write(sign + word.dropFirst(key.count).lowercased(), for: word)
        case .nameSign(let sign): return write(sign + word.dropFirst(key.count), for: word)
        }
      }
    }
    let tags = words.lazy.compactMap { $0.after("+") }
    guard let tag = tags.first(where: { $0.first?.isLetter == true }) else { return nil }
    let text = tag.visible
    return partOfTitle(
      "+" + tag,
      LocalizedText(
        "Write #\(text) for a tag and @\(text) for a group.",
        "태그는 #\(text), 그룹은 @\(text.with(.direction)) 쓰세요."))
  }

  private static func write(_ text: String, for word: String) -> LocalizedText {
    let text = text.visible
    return partOfTitle(
      word, LocalizedText("Write \(text) here.", "여기서는 \(text.with(.object)) 쓰세요."))
  }

  /// Whether a word is a priority of todo.txt, such as `(A)`.
  private static func isPriority(_ word: String) -> Bool {
    word.count == 3 && word.hasPrefix("(") && word.hasSuffix(")")
      && word.dropFirst().first.map { ("A"..."Z").contains($0) } == true
  }

  private static func partOfTitle(_ word: String, _ advice: LocalizedText) -> LocalizedText {
    let word = word.visible
    return LocalizedText(
      "\"\(word)\" is part of the title. \(advice.english)",
      "\(word.inQuotes(.topic)) 제목의 일부입니다. \(advice.korean)")
  }
}
