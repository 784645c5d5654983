/// How a command answers: what the environment, the program's arguments and the line say.
struct Preferences {
  var output: OutputFormat = .table
  var color: ColorChoice = .auto
  var language: MessageLanguage
  var assumesYes = false

  /// What the environment asks for.
  init(environment: [String: String]) {
    language = MessageLanguage(environment: environment)
  }

  /// The same with what a line of words says about itself.
  func applying(_ options: SharedOptions) -> Preferences {
    var preferences = self
    preferences.output = options.output ?? output
    preferences.color = options.color ?? color
    preferences.language = options.lang ?? language
    preferences.assumesYes = options.yes || assumesYes
    return preferences
  }
}
