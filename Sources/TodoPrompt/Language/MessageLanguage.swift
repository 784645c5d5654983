import ArgumentParser
import Presentation

/// A language the prompt speaks, as `--lang` takes it.
enum MessageLanguage: String, CaseIterable, ExpressibleByArgument {
  case korean = "ko"
  case english = "en"

  /// The language of the environment: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set.
  ///
  /// Whatever is neither Korean nor English is answered in English.
  init(environment: [String: String]) {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
    let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    self = Language(localeIdentifier: locale) == .korean ? .korean : .english
  }

  /// The language that words ask for with `--lang`, also words that make no command; nil without it.
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
