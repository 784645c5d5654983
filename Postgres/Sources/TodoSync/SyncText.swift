import Presentation

/// A message of the program in both languages.
struct SyncText: Error, Equatable {
  let english: String
  let korean: String

  init(_ english: String, _ korean: String) { (self.english, self.korean) = (english, korean) }

  func text(in language: Language) -> String { language == .korean ? korean : english }
}

extension SyncText {
  static let usage = SyncText(
    """
    todo sync setup postgres://USER@HOST/DATABASE [--space ID] [--password-file FILE] [--insecure]
    todo sync            sends what was changed here, and gets what was changed elsewhere
    todo sync --watch    does so until ^C
    todo sync status     tells what is not sent, and with which server
    todo sync leave      ends it; the list stays on this machine
    """,
    """
    todo sync setup postgres://사용자@서버/데이터베이스 [--space ID] [--password-file 파일] [--insecure]
    todo sync            여기서 바꾼 것을 보내고 다른 곳에서 바꾼 것을 받습니다
    todo sync --watch    ^C를 누를 때까지 계속합니다
    todo sync status     보내지 않은 것과 서버를 보여 줍니다
    todo sync leave      동기화를 끝냅니다. 목록은 이 컴퓨터에 남습니다
    """)

  static let passwordInAddress = SyncText(
    """
    The address has a password in it, and the shell may keep it in its history.
    Change that password, and leave it out of the address: todo asks for it, or reads it from PGPASSWORD, \
    ~/.pgpass or --password-file FILE.
    """,
    """
    주소에 비밀번호가 있습니다. 셸 기록에 남을 수 있습니다.
    그 비밀번호를 바꾸고 주소에서 빼세요. todo가 물어보거나 PGPASSWORD, ~/.pgpass, --password-file 파일에서 읽습니다.
    """)

  static let isShared = SyncText(
    "This list is shared already. \"todo sync leave\" ends that.",
    "이미 동기화하는 목록입니다. \"todo sync leave\"로 끝낼 수 있습니다.")

  static let isNotShared = SyncText(
    "This list is not shared yet. Begin with: todo sync setup postgres://USER@HOST/DATABASE",
    "아직 동기화하지 않는 목록입니다. 이렇게 시작하세요: todo sync setup postgres://사용자@서버/데이터베이스")

  static func mayNotPrepare(_ reason: String) -> SyncText {
    SyncText(
      """
      No list is shared in this database yet, and this user may not prepare it: \(reason).
      Let its owner run "todo sync setup" first, and then in psql: SELECT croft.add_member('SPACE', 'USER', true)
      """,
      """
      이 데이터베이스에는 공유하는 목록이 없고, 이 사용자는 준비할 권한이 없습니다: \(reason).
      먼저 소유자가 "todo sync setup"을 실행한 뒤 psql에서 이렇게 하세요: SELECT croft.add_member('SPACE', '사용자', true)
      """)
  }

  static func isOlder(_ reason: String) -> SyncText {
    SyncText(
      """
      An older program has prepared the database, and this user may not do it again: \(reason).
      Let its owner run "todo sync" once with this version.
      """,
      """
      데이터베이스가 이전 형식이고, 이 사용자는 바꿀 권한이 없습니다: \(reason).
      소유자가 이 버전으로 "todo sync"를 한 번 실행해야 합니다.
      """)
  }

  static let isUpdated = SyncText(
    "The database is prepared for this version now. Older programs stop until they are updated.",
    "데이터베이스를 이 버전에 맞게 바꿨습니다. 이전 버전의 프로그램은 업데이트할 때까지 멈춥니다.")

  static func manySpaces(_ ids: [String]) -> SyncText {
    let list = ids.map { "  --space \($0)" }.joined(separator: "\n")
    return SyncText(
      "The database has several lists. Add one of these:\n\(list)",
      "데이터베이스에 목록이 여러 개 있습니다. 하나를 고르세요:\n\(list)")
  }

  static let elsewhere = SyncText(
    "Another program synchronizes this list already, and sends the changes of this one too.",
    "다른 프로그램이 이 목록을 동기화하고 있습니다. 여기서 바꾼 것도 보냅니다.")

  static let asksPassword = SyncText("Password: ", "비밀번호: ")

  static func openFile(_ path: String) -> SyncText {
    SyncText(
      "Others can read the password in \(path). Run: chmod 600 \(path)",
      "다른 사람이 \(path)의 비밀번호를 읽을 수 있습니다. 실행하세요: chmod 600 \(path)")
  }

  static func noFile(_ path: String) -> SyncText {
    SyncText("The file \(path) cannot be read.", "\(path) 파일을 읽을 수 없습니다.")
  }

  static func synchronized(sent: Int, received: Int, pending: Int) -> SyncText {
    let rest = pending > 0 ? SyncText.pending(pending) : SyncText("", "")
    return SyncText(
      "Synchronized: \(sent) sent, \(received) received." + (pending > 0 ? " \(rest.english)" : ""),
      "동기화했습니다. 보냄 \(sent), 받음 \(received)." + (pending > 0 ? " \(rest.korean)" : ""))
  }

  static func pending(_ count: Int) -> SyncText {
    SyncText("Not sent yet: \(count).", "아직 보내지 않은 것: \(count).")
  }

  static func waiting(_ count: Int) -> SyncText {
    SyncText(
      "Changes of \(count) wait, because hidden ones exclude them. A newer version of this program may see those.",
      "숨은 것 때문에 \(count)개의 변경이 기다립니다. 이 프로그램의 새 버전에서는 보일 수 있습니다.")
  }

  static func lastTime(_ time: String?) -> SyncText {
    guard let time else { return SyncText("Never synchronized.", "아직 동기화하지 않았습니다.") }
    return SyncText("Last synchronized: \(time).", "마지막 동기화: \(time).")
  }

  static func offline(_ reason: SyncText?) -> SyncText {
    SyncText(
      "Not connected; changes are kept and sent later. \(reason?.english ?? "")",
      "연결되지 않았습니다. 바꾼 것은 보관했다가 나중에 보냅니다. \(reason?.korean ?? "")")
  }

  static let left = SyncText(
    "The list is not synchronized any more. It stays on this machine, and on the others.",
    "동기화를 끝냈습니다. 목록은 이 컴퓨터와 다른 컴퓨터에 그대로 남습니다.")
}
