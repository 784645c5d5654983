import Foundation

/// The arguments of the program.
struct SyncArguments: Equatable {
  enum Action: Equatable {
    case setup(address: String, space: UUID?)
    case once
    case watch
    case status
    case leave
    case help
  }

  var action = Action.once
  var list: String?
  var passwordFile: String?
  var isInsecure = false

  /// Reads them.
  ///
  /// - Throws: A message for people.
  init(_ arguments: [String]) throws {
    var words: [String] = []
    var space: UUID?
    var isWatching = false
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--db": list = try Self.value(of: word, &rest)
      case "--password-file":
        // Later calls come from other folders.
        passwordFile = URL(filePath: try Self.value(of: word, &rest)).path
      case "--space":
        let text = try Self.value(of: word, &rest)
        guard let id = UUID(uuidString: text) else {
          throw SyncText(
            "--space takes an id, not \"\(text)\".", "--space 값은 ID여야 합니다: \"\(text)\"")
        }
        space = id
      case "--insecure": isInsecure = true
      case "--watch": isWatching = true
      case "--help", "-h": words = ["help"]
      case _ where word.hasPrefix("-"): throw Self.usage(word)
      default: words.append(word)
      }
    }
    switch words.first {
    case nil: action = isWatching ? .watch : .once
    case "setup" where words.count == 2: action = .setup(address: words[1], space: space)
    case "status" where words.count == 1: action = .status
    case "leave" where words.count == 1: action = .leave
    case "help": action = .help
    default: throw Self.usage(words.joined(separator: " "))
    }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw usage(option) }
    return value
  }

  private static func usage(_ words: String) -> SyncText {
    // An address may have a password in it.
    let shown = words.contains("@") ? "" : " \"\(words)\""
    return SyncText(
      "todo sync does not understand\(shown).\n\(SyncText.usage.english)",
      "todo sync에 없는 명령입니다:\(shown)\n\(SyncText.usage.korean)")
  }
}
