/// Something the prompt says, in every language it speaks.
///
/// The languages of a phrase stand side by side, so none can be forgotten when
/// another changes. The phrases are grouped by occasion, a file each.
struct LocalizedText: Equatable {
  let english: String
  let korean: String

  init(_ english: String, _ korean: String) {
    self.english = english
    self.korean = korean
  }

  /// The phrase in words.
  func text(in language: MessageLanguage) -> String {
    switch language {
    case .english: english
    case .korean: korean
    }
  }

  /// The phrase with everything written out that would drive a terminal.
  var visible: LocalizedText { LocalizedText(english.visible, korean.visible) }

  /// The same phrase with lines below it that need no translation.
  func followed(by lines: [String]) -> LocalizedText {
    let tail = lines.map { "\n" + $0 }.joined()
    return LocalizedText(english + tail, korean + tail)
  }

  /// The same phrase with others below it.
  func followed(by phrases: [LocalizedText]) -> LocalizedText {
    phrases.reduce(self) {
      LocalizedText($0.english + "\n" + $1.english, $0.korean + "\n" + $1.korean)
    }
  }
}
