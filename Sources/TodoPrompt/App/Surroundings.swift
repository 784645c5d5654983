/// What a session is given by whoever starts it: streams, variables, and perhaps a person.
struct Surroundings {
  let environment: [String: String]
  /// Results.
  let output: any TextOutput
  /// Everything else.
  let messages: any TextOutput
  /// Who can be asked; nil where nobody sits at a terminal.
  let answers: (any AnswerSource)?
  /// What the terminal remembers of earlier processes; nil without a terminal.
  let memory: LastListFile?
  /// What days such as "tomorrow" are counted from.
  let clock: WallClock
}
