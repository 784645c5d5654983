/// What is wrong with the words of a command.
extension LocalizedText {
  static func unknownVerb(_ word: String, nearest: Verb?) -> LocalizedText {
    guard let nearest = nearest?.rawValue else {
      return LocalizedText(
        "There is no verb \"\(word.visible)\". \"help\" lists them.",
        "\"\(word.visible)\" 명령은 없습니다. \"help\"로 목록을 볼 수 있습니다.")
    }
    return LocalizedText(
      "There is no verb \"\(word.visible)\". Did you mean \"\(nearest)\"?",
      "\"\(word.visible)\" 명령은 없습니다. 혹시 \"\(nearest)\"인가요?")
  }

  static func unknownOption(_ word: String) -> LocalizedText {
    LocalizedText("Unknown option '\(word.visible)'", "\"\(word.visible)\" 옵션은 없습니다.")
  }

  static func unexpectedWord(_ word: String) -> LocalizedText {
    LocalizedText(
      "There is a word too many: \"\(word.visible)\".", "\"\(word.visible)\"은(는) 여기에 쓸 수 없습니다.")
  }

  /// The parser's own words, which are English.
  static func grammar(_ message: String, mayBeText: Bool) -> LocalizedText {
    let hint = LocalizedText(
      " (After -- every word belongs to the title.)", " (-- 뒤의 낱말은 모두 제목이 됩니다.)")
    return mayBeText
      ? LocalizedText(message + hint.english, message + hint.korean)
      : LocalizedText(message, message)
  }

  static func noTargets(_ verb: Verb) -> LocalizedText {
    let need =
      verb == .show
      ? LocalizedText("a group or an item", "그룹이나 할일이") : LocalizedText("an item", "할일이")
    return LocalizedText(
      "\(verb.rawValue) needs \(need.english):\n\(verb.synopsis)\nTry: \(verb.example)",
      "\(verb.rawValue)에는 \(need.korean) 필요합니다:\n\(verb.synopsis)\n예: \(verb.example)")
  }

  /// - Parameter forms: How a move is written.
  static func unknownPlace(_ word: String, forms: String) -> LocalizedText {
    LocalizedText(
      "\"\(word.visible)\" is no place to move to:\n\(forms)",
      "\"\(word.visible)\": 옮길 자리가 아닙니다:\n\(forms)")
  }

  static func needsMore(_ verb: Verb) -> LocalizedText {
    LocalizedText(
      "\(verb.rawValue) needs more words:\n\(verb.synopsis)\nTry: \(verb.example)",
      "\(verb.rawValue)에는 더 써야 할 것이 있습니다:\n\(verb.synopsis)\n예: \(verb.example)")
  }

  static func needsMore(_ verb: Verb, _ action: GroupCommand.Action) -> LocalizedText {
    let name = "\(verb.rawValue) \(action.rawValue)"
    let lines = forms(verb, action)
    return LocalizedText(
      "\(name) needs more words:\n\(lines)", "\(name)에는 더 써야 할 것이 있습니다:\n\(lines)")
  }

  /// The lines of a synopsis that show one action.
  static func forms(_ verb: Verb, _ action: GroupCommand.Action) -> String {
    let name = "\(verb.rawValue) \(action.rawValue)"
    return verb.synopsis.split(separator: "\n").filter { $0.hasPrefix(name) }
      .joined(separator: "\n")
  }

  /// - Parameter group: The group that may be meant.
  static func unknownGroupAction(_ word: String, group: String, nearest: String?) -> LocalizedText {
    let english = "group takes add, edit, mv or rm, not \"\(word.visible)\"."
    let korean = "group 뒤에는 add, edit, mv, rm만 쓸 수 있습니다: \"\(word.visible)\"."
    guard let nearest else {
      return LocalizedText(
        english + " \"show \(group.visible)\" shows a group.",
        korean + " 그룹은 \"show \(group.visible)\"로 볼 수 있습니다.")
    }
    return LocalizedText(
      english + " Did you mean \"\(nearest)\"?", korean + " 혹시 \"\(nearest)\"인가요?")
  }

  static func onlyForGroupEdit(_ option: String) -> LocalizedText {
    LocalizedText(
      "\(option) belongs to group edit.", "\(option) 옵션은 group edit에만 쓸 수 있습니다.")
  }

  static func unknownColorChoice(_ word: String) -> LocalizedText {
    LocalizedText(
      "--color is auto, always or never here, not \"\(word.visible)\".",
      "--color에는 여기서 auto, always, never만 쓸 수 있습니다: \"\(word.visible)\".")
  }

  static func notAColor(_ word: String) -> LocalizedText {
    LocalizedText(
      "\"\(word.visible)\" is no colour. Write it as '#ff8800' or '#f80'.",
      "\"\(word.visible)\": 색이 아닙니다. '#ff8800'이나 '#f80'처럼 쓰세요.")
  }

  static let noVerb = LocalizedText(
    "A line begins with a verb. \"help\" lists them.",
    "줄은 명령으로 시작합니다. \"help\"로 목록을 볼 수 있습니다.")

  static func onlyAtStart(_ option: String) -> LocalizedText {
    LocalizedText(
      "\(option) only works where todo is started.", "\(option) 옵션은 todo를 시작할 때만 쓸 수 있습니다.")
  }

  static let verbAndCommands = LocalizedText(
    "Give a verb or -c, not both.", "명령과 -c를 함께 쓸 수 없습니다.")

  static func looksLikeOption(_ word: String) -> LocalizedText {
    LocalizedText(
      "\"\(word.visible)\" looks like an option. Put -- before the words of the title: -- \(word.visible)",
      "\"\(word.visible)\"은(는) 옵션처럼 보입니다. 제목 앞에 --를 쓰세요: -- \(word.visible)")
  }

  static let choosePriority = LocalizedText(
    "Write !h, !n, !l or --pri high|normal|low, or set TODO_PRIORITY.",
    "!h, !n, !l이나 --pri high|normal|low를 쓰거나 TODO_PRIORITY를 설정하세요.")

  static let choosePriorityLast = LocalizedText(
    "It stands last: \(Verb.pri.synopsis)", "중요도는 끝에 씁니다: \(Verb.pri.synopsis)")

  static let contradictoryPriorities = LocalizedText(
    "That is more than one priority. Choose one.", "중요도가 둘 이상입니다. 하나만 고르세요.")

  static let contradictoryGroups = LocalizedText(
    "That is more than one group. Choose one.", "그룹이 둘 이상입니다. 하나만 고르세요.")

  static let contradictoryDays = LocalizedText(
    "That is more than one due day. Choose one.", "마감일이 둘 이상입니다. 하나만 고르세요.")

  static func unknownDefaultPriority(_ word: String) -> LocalizedText {
    LocalizedText(
      "TODO_PRIORITY is \"\(word.visible)\": use high, normal or low.",
      "TODO_PRIORITY 값 \"\(word.visible)\": high, normal, low 중 하나여야 합니다.")
  }

  static let notUTF8 = LocalizedText("This line is not UTF-8.", "UTF-8이 아닌 줄입니다.")

  static func line(_ number: Int) -> LocalizedText {
    LocalizedText("line \(number)", "\(number)번째 줄")
  }

  static func command(_ number: Int) -> LocalizedText {
    LocalizedText("-c \(number)", "\(number)번째 -c")
  }
}
