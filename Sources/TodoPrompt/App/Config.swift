import CroftFoundation
import CroftLibc
import LineEditing
import Presentation
import TodoKit

/// What the user's file of settings says: lines such as `priority = none`, and comments after `#`.
///
/// An invalid line is reported and ignored.
struct Config {
  enum Key: String, CaseIterable {
    /// The priority of what is added without one.
    case priority
    /// Whether output is coloured, where neither an option nor `NO_COLOR` says so.
    case color
    /// The language, before that of the system.
    case language
    /// The order in which lists are printed.
    case sort
    /// How lists and groups are shown on a terminal.
    case view
    /// The colours of output.
    case theme
    /// Whether bars, borders and check marks are drawn with more than ASCII.
    case unicode
    /// How many columns a terminal gives to characters of ambiguous width.
    case ambiguousWidth = "ambiguous_width"
    /// The program that shows what is longer than the terminal.
    case pager

    var koreanName: String {
      switch self {
      case .priority: "중요도"
      case .color: "색"
      case .language: "언어"
      case .sort: "정렬"
      case .view: "보기"
      case .theme: "테마"
      case .unicode: "유니코드"
      case .ambiguousWidth: "글자폭"
      case .pager: "페이저"
      }
    }

    /// The setting of a name in either language; nil for another word.
    init?(name: String) {
      let name = name.lowercased()
      guard let key = Self.allCases.first(where: { [$0.rawValue, $0.koreanName].contains(name) })
      else { return nil }
      self = key
    }

    /// The value that a word means: a Korean word stands for the value of the file.
    func value(of word: String) -> String {
      if self == .pager { return word == "없음" ? "none" : word }
      if values.contains(word) { return word }
      if self == .priority, let priority = Priority(word: word) {
        return priority.word(in: .english)
      }
      let korean = [
        "묻기": "ask", "없음": "none", "자동": "auto", "항상": "always", "안함": "never",
        "시스템": "system", "한국어": "ko", "영어": "en", "마감": "due", "마감일": "due", "수동": "manual",
        "만든때": "created", "중요도": "priority", "제목": "title", "카드": "cards", "표": "table",
        "예": "yes", "아니요": "no", "기본": "default", "어둡게": "dark", "밝게": "light",
      ]
      return korean[word] ?? word
    }

    /// The values; the first one is the default.
    var values: [String] {
      switch self {
      case .priority: ["ask", "none", "high", "normal", "low"]
      case .color: SharedOptions.ColorChoice.allCases.map(\.rawValue)
      case .language: ["system", "ko", "en"]
      case .sort: ["due", "manual", "created", "priority", "title"]
      case .view: ListView.allCases.map(\.rawValue)
      case .theme: Theme.allCases.map(\.rawValue)
      case .unicode: ["no", "yes"]
      case .ambiguousWidth: ["1", "2"]
      case .pager: [Pager.byVariable, Pager.none, "COMMAND"]
      }
    }

    /// Whether a value can be set; a command may be any.
    func allows(_ value: String) -> Bool {
      self == .pager ? !value.isBlank : values.contains(value)
    }
  }

  /// The file; nil without a home.
  let path: String?
  private var values: [Key: String] = [:]
  /// What is wrong in the file, by line.
  private(set) var issues: [LocalizedText] = []

  /// Settings without a file.
  init() { path = nil }

  /// Reads a file; one that does not exist sets nothing.
  init(path: String?) {
    self.path = path
    guard let path else { return }
    let lines: [String]
    do {
      lines = try Self.lines(of: path)
    } catch {
      issues.append(CommandError(error).message)
      return
    }
    for (index, line) in lines.enumerated() {
      guard let (name, value) = Self.setting(in: line) else {
        if !Self.isComment(line) {
          issues.append(
            LocalizedText(
              "\(path.visible), line \(index + 1): write a setting as KEY = VALUE.",
              "\(path.visible) \(index + 1)번째 줄: 설정은 KEY = VALUE로 쓰세요."))
        }
        continue
      }
      if let key = Key(rawValue: name), key.allows(value) {
        values[key] = value
      } else {
        issues.append(.badSetting(path, index + 1, name: name, value: value))
      }
    }
  }

  var sort: ItemSort { self[.sort].flatMap(ItemSort.init(rawValue:)) ?? .due }

  var view: ListView { self[.view].flatMap(ListView.init(rawValue:)) ?? .table }

  var theme: Theme { self[.theme].flatMap(Theme.init(rawValue:)) ?? .default }

  var glyphs: Glyphs { Glyphs(isUnicode: self[.unicode] == "yes") }

  var ambiguousWidth: Int { self[.ambiguousWidth].flatMap { Int($0) } ?? 1 }

  /// The value that the file sets; nil where it sets none.
  subscript(key: Key) -> String? { values[key] }

  /// The same settings with another value, for the session alone.
  func keeping(_ key: Key, as value: String) -> Config {
    var config = self
    config.values[key] = value
    return config
  }

  /// The same settings with another value, or without one, written to the file.
  ///
  /// The file is read again, and locked meanwhile: settings of another session are kept.
  ///
  /// - Throws: An error where the file cannot be read or written; then it is unchanged.
  func setting(_ key: Key, to value: String?) throws -> Config {
    guard let path else { throw CommandError(.noHome) }
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    do {
      try FileManager.default.makeFolder(of: path)
    } catch {
      throw CommandError(.notWritten(path, error))
    }
    let lock = FolderLock(folder)
    defer { lock.release() }
    var new = try Self.lines(of: path)
    let places = new.indices.filter { Self.setting(in: new[$0])?.name == key.rawValue }
    if let value {
      let line = "\(key.rawValue) = \(value)"
      if let last = places.last { new[last] = line } else { new.append(line) }
      for index in places.dropLast().reversed() { new.remove(at: index) }
    } else {
      for index in places.reversed() { new.remove(at: index) }
    }
    do {
      let text = new.map { $0 + "\n" }.joined()
      // A link to a file that is kept elsewhere stays one.
      let file = URL(filePath: path).resolvingSymlinksInPath()
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      throw CommandError(.notWritten(path, error))
    }
    return Config(path: path)
  }

  /// The lines of a file; none of one that does not exist.
  private static func lines(of path: String) throws -> [String] {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(filePath: path))
    } catch {
      if let code = FileReason.code(of: error), code == ENOENT || code == ENOTDIR { return [] }
      throw CommandError(.unreadable(path, FileReason.text(of: error)))
    }
    // A line feed after a carriage return is one character with it.
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  private static func setting(in line: String) -> (name: String, value: String)? {
    guard !isComment(line), let sign = line.firstIndex(of: "=") else { return nil }
    let value = String(line[line.index(after: sign)...]).trimmed
    return (String(line[..<sign]).trimmed, value)
  }

  private static func isComment(_ line: String) -> Bool {
    line.isBlank || line.trimmed.hasPrefix("#")
  }
}

/// The right to change the files of a folder, as far as other processes ask for it too.
///
/// A folder that cannot be locked, as on some network volumes, is changed without the lock.
private struct FolderLock {
  private let descriptor: Int32

  /// Waits for the lock.
  init(_ folder: String) {
    descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  func release() {
    if descriptor >= 0 { close(descriptor) }
  }
}

extension LocalizedText {
  fileprivate static func badSetting(
    _ path: String, _ line: Int, name: String, value: String
  ) -> LocalizedText {
    guard let key = Config.Key(rawValue: name) else {
      let keys = Config.Key.allCases.map(\.rawValue).joined(separator: ", ")
      return LocalizedText(
        "\(path.visible), line \(line): there is no setting \"\(name.visible)\". There are \(keys).",
        "\(path.visible) \(line)번째 줄: \"\(name.visible)\" 설정은 없습니다. 있는 설정: \(keys).")
    }
    let allowed = key.values.joined(separator: ", ")
    return LocalizedText(
      "\(path.visible), line \(line): \(name) is one of \(allowed), not \"\(value.visible)\".",
      "\(path.visible) \(line)번째 줄: \(name)에는 \(allowed) 가운데 하나를 쓰세요: \"\(value.visible)\".")
  }

  static func notWritten(_ path: String, _ error: any Error) -> LocalizedText {
    // A file that is written need not exist, but its folder.
    let reason =
      FileReason.code(of: error) == ENOENT ? FileReason.noFolder : FileReason.text(of: error)
    return LocalizedText(
      "\(path.visible) cannot be written: \(reason.english).",
      "\(path.visible)에 쓸 수 없습니다: \(reason.korean).")
  }
}
