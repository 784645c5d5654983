import TodoKit

/// What the program is given from outside, so that tests can be the outside.
struct Host {
  let environment: [String: String]
  let output: any TextOutput
  let messages: any TextOutput
  /// Who can be asked; nil unless somebody types and can read the question.
  let answers: (any AnswerSource)?
  /// The terminal that somebody types at, by its path and its session; nil without one.
  let terminal: (name: String, session: Int)?
  /// What days such as "tomorrow" are counted from.
  let clock: WallClock
  /// Standard input as lines.
  let script: any LineSource
  /// Starts the editor for somebody who types; it may put up with plain lines.
  let startEditor: (History?) -> any LineSource
  /// Opens the file that holds the items.
  let openRepository: (String) throws -> any TodoRepository
}
