import CroftFoundation
import LineEditing

/// The list that was printed last on a terminal, for the next process there.
///
/// Each terminal has a file in the state folder, named after it, of these lines:
///
/// - line 1: `todo-list 1`
/// - line 2: the number of the terminal's session, as the system gives it
/// - line 3: the path of the store
/// - then an id a line, in the order of their numbers
///
/// A new window may get the name of a closed one, but its session is another. So a list is used only
/// with the session and the store it was printed for.
struct LastListFile {
  private static let heading = "todo-list 1"

  private let file: StateFile
  private let terminalSession: Int
  private let storePath: String

  /// - Parameters:
  ///   - folder: The state folder.
  ///   - terminalName: The terminal's path, such as `/dev/pts/3`.
  ///   - terminalSession: The session of the terminal, which differs from earlier ones of the name.
  ///   - storePath: The absolute path of the store.
  init(folder: String, terminalName: String, terminalSession: Int, storePath: String) {
    let name = terminalName.split(separator: "/").drop { $0 == "dev" }.joined(separator: "-")
    file = StateFile(path: "\(folder)/list-\(name)")
    self.terminalSession = terminalSession
    self.storePath = storePath
  }

  /// The list; nil if this terminal has shown no list of this store.
  ///
  /// - Complexity: O(1); ids are read when they are asked for.
  func load() -> ListedItems? {
    StoredList(path: file.path, header: header).map { ListedItems($0) }
  }

  /// Saves a list in place of the one before; ids that were only added to that one are appended.
  ///
  /// - Returns: The same list, as it is stored.
  func save(_ listed: ListedItems) -> ListedItems {
    if let stored = listed.stored, stored.isAll(of: file.path) {
      file.append(Self.lines(listed.added))
    } else {
      file.replace(with: header + Self.lines(listed.ids))
    }
    guard let saved = load(), saved.count == listed.count else { return listed }
    return saved
  }

  private static func lines(_ ids: [UUID]) -> String {
    ids.map { $0.uuidString + "\n" }.joined()
  }

  private var header: String { "\(Self.heading)\n\(terminalSession)\n\(storePath.visible)\n" }
}
