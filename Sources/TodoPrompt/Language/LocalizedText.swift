import Presentation

/// A language of the prompt's messages, as `--lang` takes it.
enum TextLanguage: String, CaseIterable {
  case korean = "ko"
  case english = "en"

  /// The language of the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set.
  ///
  /// It is English unless that variable asks for Korean.
  init(environment variables: [String: String]) {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
    let locale = names.lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
    self = Language(localeIdentifier: locale) == .korean ? .korean : .english
  }

  /// The language that words ask for with `--lang`, even if they are not a valid command.
  ///
  /// It is nil without `--lang`.
  init?(askedForIn words: [String]) {
    let words = Array(words.prefix { $0 != "--" })
    let values = words.indices.compactMap { index in
      words[index] == "--lang" ? words.dropFirst(index + 1).first : words[index].after("--lang=")
    }
    guard let language = values.compactMap(Self.init(rawValue:)).last else { return nil }
    self = language
  }

  /// The language as message catalogues name it.
  var language: Language {
    Language(rawValue: rawValue)
  }
}

/// A message of the prompt in both of its languages.
///
/// Each message is in the file of the command or type that shows it.
struct LocalizedText: Equatable {
  let english: String
  let korean: String

  init(_ english: String, _ korean: String) {
    self.english = english
    self.korean = korean
  }

  func text(in language: TextLanguage) -> String {
    switch language {
    case .english: english
    case .korean: korean
    }
  }

  /// The message with control characters escaped; see `String.visible`.
  var visible: LocalizedText { LocalizedText(english.visible, korean.visible) }

  /// The message, followed by lines that are the same in both languages.
  func followed(by lines: [String]) -> LocalizedText {
    let tail = lines.map { "\n" + $0 }.joined()
    return LocalizedText(english + tail, korean + tail)
  }

  /// The message, followed by other messages, each on lines of its own.
  func followed(by messages: [LocalizedText]) -> LocalizedText {
    messages.reduce(self) {
      LocalizedText($0.english + "\n" + $1.english, $0.korean + "\n" + $1.korean)
    }
  }

  static func items(_ count: Int) -> LocalizedText {
    LocalizedText(count == 1 ? "1 item" : "\(count) items", "할일 \(count)개")
  }
}
