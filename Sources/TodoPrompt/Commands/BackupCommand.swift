import CroftFoundation
import TodoKit

struct BackupCommand: Command {
  static let name = "backup"
  static let aliases = ["백업"]
  static let synopsis = "backup [FILE] [--force]"
  static let example = "backup"
  static let summary = LocalizedText("Copies the list to another file.", "목록을 다른 파일로 복사합니다.")
  static let details = [
    LocalizedText(
      """
        The copy has everything: groups, pictures and what undo needs. Without FILE it is beside the \
      list, with the day in its name; --force replaces an earlier copy. todo --db FILE opens a copy. To \
      restore one, end all todo programs and copy it over the list.
      """,
      """
        그룹, 그림, 되돌리기 기록까지 모두 복사합니다. FILE이 없으면 목록 옆에 날짜를 붙인 이름으로 만들고, --force는 \
      앞의 복사본을 바꿉니다. 복사본은 todo --db FILE로 엽니다. 되살리려면 todo를 모두 끝내고 목록 위에 복사하세요.
      """)
  ]
  static let options: [OptionSyntax] = [.flag("--force")]

  /// The new file; nil for one beside the list.
  let path: String?
  let replaces: Bool

  func run(in session: Session) throws {
    try session.requireList()
    let path = if let path { path } else { try Self.usualPath(in: session) }
    if !replaces, FileManager.default.fileExists(atPath: path) {
      throw CommandError(.existsAlready(path))
    }
    try session.refuseList(path)
    try session.repository().backUp(to: path, replacesExisting: replaces)
    session.say("Copied the list to \(path.visible).", "목록을 복사했습니다: \(path.visible)")
  }

  /// A file beside the list with the day in its name.
  private static func usualPath(in session: Session) throws -> String {
    let list = try session.storePath()
    let ending = ".croft"
    let stem = list.hasSuffix(ending) ? String(list.dropLast(ending.count)) : list
    return "\(stem)-\(session.environment.clock.today)\(ending)"
  }

  init(_ input: CommandInput) throws {
    (path, replaces) = (try input.onlyWord(), input.options["--force"] != nil)
  }
}

struct CompactCommand: WordlessCommand {
  static let name = "compact"
  static let aliases = ["압축"]
  static let summary = LocalizedText("Makes the list's file smaller.", "목록 파일을 줄입니다.")
  static let details = [
    LocalizedText(
      """
        Room of what was deleted goes back to the disk. No other program may have the list open, and \
      there must be room for a copy.
      """,
      "  지운 것의 자리를 디스크에 돌려줍니다. 다른 프로그램이 목록을 열고 있으면 안 되고, 복사본을 둘 공간이 있어야 합니다.")
  ]

  func run(in session: Session) throws {
    try session.requireList()
    let path = try session.storePath()
    session.closeRepository()
    let sizes = try session.environment.compactFile(path)
    let (before, after) = (Self.size(sizes.before), Self.size(sizes.after))
    session.say("Compacted the list: \(before) -> \(after).", "목록을 줄였습니다: \(before) -> \(after)")
  }

  /// A number of bytes for people.
  private static func size(_ bytes: Int) -> String {
    let kilobytes = (bytes + 1023) / 1024
    return kilobytes < 10_000 ? "\(kilobytes) KB" : "\(kilobytes / 1024) MB"
  }
}

extension LocalizedText {
  static func existsAlready(_ path: String) -> LocalizedText {
    LocalizedText(
      "\(path.visible) exists. Use another name, or --force to replace it.",
      "\(path.visible) 파일이 이미 있습니다. 다른 이름이나 --force를 쓰세요.")
  }
}
