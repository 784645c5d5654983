/// What `import` is asked for: rows of which file become objects of which model, and how.
struct ImportRequest: Equatable {
  /// How an object is treated that has the key of a row.
  enum Existing: Equatable {
    case refuse
    case update
    case skip

    /// The option that asks for it; nil for what needs none.
    var option: String? {
      switch self {
      case .refuse: nil
      case .update: "--update"
      case .skip: "--skip"
      }
    }
  }

  private(set) var model = ""
  /// The file with the rows; nil for the standard input.
  private(set) var rows: String?
  /// The properties of columns with other names; an empty one for columns that are passed over.
  private(set) var map: [String: String] = [:]
  private(set) var existing = Existing.refuse
  /// Whether all is done but the commit.
  private(set) var isDryRun = false

  init() {}

  /// Reads the words after the store's file: options, the model, and the file with the rows.
  ///
  /// - Throws: ``ShellCommand/Problem``.
  init(_ words: [String]) throws(ShellCommand.Problem) {
    var (words, operands) = (words[...], [String]())
    while let word = words.popFirst() {
      guard word.hasPrefix("--") else {
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard try take(parts[0], { parts.count > 1 ? parts[1] : words.popFirst() }) else {
        throw ShellCommand.Problem(reason: "import has no option \(word)")
      }
    }
    guard let first = operands.first, operands.count <= 2 else {
      throw ShellCommand.Problem(
        reason: "import needs the name of a model, and then at most the file with the rows")
    }
    model = first
    rows = operands.count > 1 ? operands[1] : nil
  }

  /// Reads what follows `.import`: options, the model, and the file, whose name may have spaces.
  ///
  /// Words with spaces are in quotes, single or double ones.
  ///
  /// - Throws: ``ShellCommand/Problem``.
  init(line: String) throws(ShellCommand.Problem) {
    var (words, rest) = ([String](), line[...])
    var (hasModel, needsArgument) = (false, false)
    while !rest.isEmpty, !hasModel || needsArgument || rest.hasPrefix("--") {
      let word = try Self.takeWord(of: &rest)
      words.append(word)
      if !needsArgument, !word.hasPrefix("--") { hasModel = true }
      needsArgument = !needsArgument && word == "--map"
    }
    // The rest is one name, in quotes or without.
    if let first = rest.first, Self.quotes.contains(first) {
      words.append(try Self.takeWord(of: &rest))
    }
    if !rest.isEmpty { words.append(String(rest)) }
    try self.init(words)
    if rows == nil {
      throw ShellCommand.Problem(reason: ".import needs a model and the file with the rows")
    }
  }

  private static let quotes: Set<Character> = ["\"", "'"]

  /// Takes a word, which ends at a space outside quotes, and the spaces that follow.
  private static func takeWord(of rest: inout Substring) throws(ShellCommand.Problem) -> String {
    var word = ""
    var quote: Character?
    while let sign = rest.first, quote != nil || !sign.isWhitespace {
      rest.removeFirst()
      if sign == quote {
        quote = nil
      } else if quote == nil, quotes.contains(sign) {
        quote = sign
      } else {
        word.append(sign)
      }
    }
    if let quote { throw ShellCommand.Problem(reason: ".import has a \(quote) without an end") }
    rest = rest.drop(while: \.isWhitespace)
    return word
  }

  /// Takes the options of another request, which were read before the model.
  mutating func addOptions(of other: ImportRequest) {
    map.merge(other.map) { _, new in new }
    if other.existing != .refuse { existing = other.existing }
    isDryRun = isDryRun || other.isDryRun
  }

  /// Takes an option.
  ///
  /// - Parameter argument: Gives what follows the option, where it needs that.
  /// - Returns: Whether there is such an option.
  /// - Throws: ``ShellCommand/Problem``.
  mutating func take(
    _ option: String, _ argument: () -> String?
  ) throws(ShellCommand.Problem) -> Bool {
    switch option {
    case "--update", "--skip":
      let new = option == "--update" ? Existing.update : .skip
      guard existing == .refuse || existing == new else {
        throw ShellCommand.Problem(reason: "--update and --skip are one or the other")
      }
      existing = new
    case "--dry-run": isDryRun = true
    case "--map":
      guard let text = argument() else {
        throw ShellCommand.Problem(reason: "--map needs columns and properties: 'a=b,c=d'")
      }
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let names = part.split(separator: "=", omittingEmptySubsequences: false)
          .map { String($0).trimmingSpaces }
        guard names.count == 2, map[names[0]] == nil else {
          throw ShellCommand.Problem(
            reason: "--map has each column once, with its property: 'a=b,c=d'; 'c=' passes over c")
        }
        map[names[0]] = names[1]
      }
    default: return false
    }
    return true
  }
}
