public import Presentation

/// An error of the prompt's grammar or of opening its list, for people.
public struct PromptError: Error, Sendable {
  private let english: String
  private let korean: String

  init(_ error: CommandError) {
    (english, korean) = (error.text(in: .english), error.text(in: .korean))
  }

  /// The text, with what to do about it on a line of its own where there is more to say.
  public func text(in language: Language) -> String { language == .korean ? korean : english }
}
