struct ConfigCommand: Command {
  static let name = "config"
  static let aliases = ["설정"]
  static let synopsis = """
    config
    config KEY [VALUE]
    config KEY --unset
    """
  static let example = "config priority none"
  static let summary = LocalizedText("Shows and changes settings.", "설정을 보여 주고 바꿉니다.")
  static let details = [
    LocalizedText(
      Config.Key.allCases.map { "  \($0.rawValue) = \($0.values.joined(separator: " | "))" }
        .joined(separator: "\n")
        + "\n  An option of a line and a variable come before the file.",
      Config.Key.allCases
        .map { "  \($0.rawValue), \($0.koreanName) = \($0.values.joined(separator: " | "))" }
        .joined(separator: "\n")
        + "\n  줄의 옵션과 환경 변수가 파일보다 먼저입니다.")
  ]
  static let options: [OptionSyntax] = [.flag("--unset")]

  enum Action: Equatable {
    case list
    case show(Config.Key)
    case set(Config.Key, String?)
  }

  let action: Action

  func run(in session: Session) throws {
    switch action {
    case .list:
      if let path = session.config.path {
        session.say("# \(path.visible)", "# \(path.visible)")
      }
      for key in Config.Key.allCases { session.say(Self.line(key, session.config)) }
    case .show(let key):
      let value = session.config[key] ?? key.values[0]
      session.say(value, value)
    case .set(let key, let value):
      session.use(try session.config.setting(key, to: value))
      session.say(Self.line(key, session.config))
    }
  }

  private static func line(_ key: Config.Key, _ config: Config) -> LocalizedText {
    let value = config[key] ?? key.values[0]
    let line = "\(key.rawValue) = \(value)"
    return config[key] == nil
      ? LocalizedText(line + "  (not set)", line + "  (설정하지 않음)") : LocalizedText(line, line)
  }

  init(_ input: CommandInput) throws {
    let words = input.allWords
    let isUnset = input.options["--unset"] != nil
    guard let name = words.first else {
      if isUnset { throw CommandError(.needsMore(Self.self), .usage) }
      action = .list
      return
    }
    guard let key = Config.Key(name: name) else {
      let keys = Config.Key.allCases
      let (english, korean) = (keys.map(\.rawValue), keys.map(\.koreanName))
      throw CommandError(
        "There is no setting \"\(name.visible)\". There are \(english.joined(separator: ", ")).",
        "\"\(name.visible)\" 설정은 없습니다. 있는 설정: \(korean.joined(separator: ", ")).", .usage)
    }
    let isLine = key == .pager
    if words.count > 2 && !isLine || isUnset && words.count > 1 {
      throw CommandError(.unexpectedWord(words.last ?? ""), .usage)
    }
    guard words.count > 1 else {
      action = isUnset ? .set(key, nil) : .show(key)
      return
    }
    let value = key.value(of: words.dropFirst().joined(separator: " "))
    guard key.allows(value), !value.contains(where: \.isNewline) else {
      let values = key.values.joined(separator: ", ")
      throw CommandError(
        "\(key.rawValue) is one of \(values), not \"\(value.visible)\".",
        "\(key.rawValue)에는 \(values) 가운데 하나를 쓰세요: \"\(value.visible)\".", .usage)
    }
    action = .set(key, value)
  }
}
