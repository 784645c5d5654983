public import Presentation

/// An error of the prompt's grammar or of opening its list, for people.
public struct PromptError: Error, Sendable {
  private let message: LocalizedText

  init(_ error: any Error) { message = CommandError(error).message }

  /// The text, with what to do about it on a line of its own where there is more to say.
  public func text(in language: Language) -> String {
    language == .korean ? message.korean : message.english
  }
}
