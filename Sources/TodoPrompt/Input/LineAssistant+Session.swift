import LineEditing
import TodoKit

extension LineAssistant {
  /// Makes an assistant that completes what a session's list contains.
  init(_ session: Session) {
    self.init()
    let names = CompletionNames(
      groups: { session.completionGroups }, tags: { session.completionTags },
      files: FileNames.beginning(with:),
      titles: { session.completionItems.map { $0?.title ?? "" } }, language: session.base.language)
    usesColor = session.styler(for: session.environment.messages).isOn
    let theme = session.config.theme
    code = { theme.code(of: $0) }
    styles = LineStyles.styles(of:)
    complete = { Completion(of: $0, names: names) }
  }
}

/// What Tab reads; without a list that can be read there are no candidates.
extension Session {
  /// How many items are read at most.
  private static let completionItemsMax = 200

  fileprivate var completionGroups: [String] {
    // The error is ignored: the next command that needs the list reports it.
    (try? groups().names()) ?? []
  }

  fileprivate var completionItems: [TodoItem?] {
    // The error is ignored: the next command that needs the list reports it.
    guard let repository = try? repository() else { return [] }
    // A number keeps its place when its item has gone.
    return (0..<min(Self.completionItemsMax, listed.count)).map { index in
      listed.id(at: index + 1).flatMap { try? repository.item($0) }
    }
  }

  fileprivate var completionTags: [String] {
    var items = completionItems.compactMap(\.self)
    // The error is ignored: the next command that needs the list reports it.
    if items.isEmpty, let repository = try? repository() {
      let read = try? repository.items(in: .all, meeting: [], limit: Self.completionItemsMax)
      items = read ?? []
    }
    var tags: [String] = []
    for tag in items.flatMap(\.tags) where !tags.contains(tag) { tags.append(tag) }
    return tags
  }
}

/// The colours of a line that is typed.
enum LineStyles {
  /// The style of each character: of the verb, and of words with a sign.
  ///
  /// A verb that is known is bold, and one that no verb begins with is red.
  static func styles(of line: String) -> [ANSIStyle?] {
    var styles: [ANSIStyle?] = []
    var rest = line[...]
    var isFirst = true
    while !rest.isEmpty {
      let blank = rest.prefix(while: \.isWhitespace)
      styles += Array(repeating: nil, count: blank.count)
      rest = rest[blank.endIndex...]
      let word = rest.prefix { !$0.isWhitespace }
      if word.isEmpty { break }
      rest = rest[word.endIndex...]
      let style = isFirst ? verbStyle(String(word), isWhole: !rest.isEmpty) : signStyle(word)
      isFirst = isFirst && word.hasPrefix("-")
      styles += Array(repeating: style, count: word.count)
    }
    return styles
  }

  private static func verbStyle(_ word: String, isWhole: Bool) -> ANSIStyle? {
    if word.hasPrefix("-") || word.hasPrefix("#") { return .dim }
    if Grammar.commandsByName[word] != nil { return .bold }
    if !isWhole, Grammar.commandsByName.keys.contains(where: { $0.hasPrefix(word) }) { return nil }
    return .red
  }

  private static func signStyle(_ word: Substring) -> ANSIStyle? {
    guard let signed = SignedWord(String(word)) else { return nil }
    switch signed.sign {
    case .tag: return .yellow
    case .priority: return Priority(word: signed.text) == nil ? nil : .red
    default: return .green
    }
  }
}
