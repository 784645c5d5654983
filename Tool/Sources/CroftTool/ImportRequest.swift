/// What `import` is asked for: rows of which file become objects of which model, and how.
struct ImportRequest: Equatable {
  /// How an object is treated that has the key of a row.
  enum Existing: Equatable {
    case refuse
    case update
    case skip
  }

  private(set) var model = ""
  /// The file with the rows; nil for the standard input.
  private(set) var rows: String?
  /// The properties of columns that have other names; an empty one for columns that are passed over.
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
  /// - Throws: ``ShellCommand/Problem``.
  init(line: String) throws(ShellCommand.Problem) {
    var (words, rest) = ([String](), Substring(line))
    // After the options and one more word the rest is one name.
    while words.allSatisfy({ $0.hasPrefix("--") }), !rest.isEmpty {
      words.append(String(rest.prefix { !$0.isWhitespace }))
      rest = rest.dropFirst(words[words.count - 1].count).drop(while: \.isWhitespace)
    }
    if !rest.isEmpty { words.append(String(rest)) }
    try self.init(words)
    if rows == nil {
      throw ShellCommand.Problem(reason: ".import needs a model and the file with the rows")
    }
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
        guard names.count == 2, !names[0].isEmpty, map[names[0]] == nil else {
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
