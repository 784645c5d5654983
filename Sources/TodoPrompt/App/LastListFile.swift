#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The list that was printed last on a terminal, for the next process there.
///
/// A file a terminal, named after it, in the state folder:
///
/// - line 1: `todo-list 1`
/// - line 2: the number of the terminal's session, as the system gives it
/// - line 3: the path of the store
/// - then an id a line, in the order of their numbers
///
/// Names of terminals are used again: a new window may be called what a closed one
/// was. Its session is another one, so a list that its user never saw is not used;
/// nor is a list of another store.
struct LastListFile {
  private static let heading = "todo-list 1"

  private let file: StateFile
  private let terminalSession: Int
  private let storePath: String

  /// - Parameters:
  ///   - folder: The state folder.
  ///   - terminalName: The terminal's path, such as `/dev/pts/3`.
  ///   - terminalSession: What tells this use of the name from earlier ones.
  ///   - storePath: The absolute path of the store.
  init(folder: String, terminalName: String, terminalSession: Int, storePath: String) {
    let name = terminalName.split(separator: "/").drop { $0 == "dev" }.joined(separator: "-")
    file = StateFile(path: "\(folder)/list-\(name)")
    self.terminalSession = terminalSession
    self.storePath = storePath
  }

  /// The remembered list; nil when there is none that this terminal showed.
  func load() -> ListedItems? {
    let text = String(decoding: file.read(), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 3, lines.starts(with: header.map { $0[...] }), lines.last == ""
    else { return nil }
    let ids = lines.dropFirst(header.count).dropLast().map { UUID(uuidString: String($0)) }
    return ids.contains(nil) ? nil : ListedItems(ids.compactMap(\.self))
  }

  /// Remembers a list in place of the one before.
  func save(_ listed: ListedItems) {
    let lines = header + listed.ids.map(\.uuidString)
    file.replace(with: lines.joined(separator: "\n") + "\n")
  }

  private var header: [String] { [Self.heading, String(terminalSession), storePath.visible] }
}
