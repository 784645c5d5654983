import Hummingbird
import PageServer
import Presentation

/// The colours of a page.
enum PageTheme: String, CaseIterable, Sendable {
  /// Those of the browser.
  case automatic = "auto"
  case light, dark
}

/// What a browser remembers about how pages look, in cookies.
struct PageSettings: Sendable {
  /// The language of the browser's pages; nil for that of the prompt.
  var language: Language?
  var theme = PageTheme.automatic
  /// Whether keys without Ctrl or Alt do something wherever the focus is.
  var hasKeys = true

  /// Reads the cookies of a request; values that no page sets count as none.
  init(_ request: Request) {
    language = request.cookies["todo-language"].flatMap { Self.language($0.value) }
    theme = request.cookies["todo-theme"].flatMap { PageTheme(rawValue: $0.value) } ?? .automatic
    hasKeys = request.cookies["todo-keys"]?.value != "off"
  }

  /// The language of a code; nil for one in which there are no pages.
  static func language(_ code: String) -> Language? {
    [Language.english, .korean].first { $0.rawValue == code }
  }

  /// The cookies that a form asks for, as values of `Set-Cookie`.
  ///
  /// Scripts can read them: the page's own needs that of the keys.
  static func cookies(for form: FormFields) -> [String] {
    let chosen = [
      ("language", form["language"].flatMap(language)?.rawValue),
      ("theme", form["theme"].flatMap(PageTheme.init(rawValue:))?.rawValue),
      ("keys", form["keys"].flatMap { ["on", "off"].contains($0) ? $0 : nil }),
    ]
    return chosen.compactMap { name, value in
      value.map { "todo-\(name)=\($0); Path=/; Max-Age=31536000; SameSite=Strict" }
    }
  }
}
