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

  /// The language as message catalogues name it.
  var language: Language {
    Language(rawValue: rawValue)
  }
}
