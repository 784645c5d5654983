public import Presentation
public import TodoKit

/// The settings of the user, and the list that they name, for programs beside the prompt.
///
/// They are those of the prompt: variables of the process first, and then the file of settings.
///
/// Threads: any.
public struct TodoSettings: Sendable {
  private let variables: [String: String]
  private let storeOption: String?
  private let config: Config
  private let environment: @Sendable () -> Environment
  let clock: WallClock

  /// Reads the settings of this process.
  ///
  /// - Parameter storePath: The file of the list; nil for the one that `TODO_DB` names, or the usual one.
  public init(storePath: String? = nil) {
    self.init(storePath: storePath) { Environment.process() }
  }

  init(storePath: String?, environment: @escaping @Sendable () -> Environment) {
    let process = environment()
    self.environment = environment
    (variables, storeOption, clock) = (process.variables, storePath, process.clock)
    config = Config(path: process.configPath)
  }

  /// The language of messages: that of the file of settings, or of the system.
  public var language: Language { textLanguage.language }

  private var textLanguage: TextLanguage {
    Session.Preferences(environment: variables, config: config).language
  }

  /// The priority of items that are added without one; nil if the user must choose one.
  ///
  /// - Throws: ``PromptError`` for a value of `TODO_PRIORITY` that does not name a priority.
  public func priority() throws -> Priority? {
    do { return try chosenPriority() } catch { throw PromptError(error) }
  }

  func chosenPriority() throws -> Priority? {
    try environment().defaultPriority(config)
  }

  /// Whether what is added may be without a priority.
  public var mayLackPriority: Bool { config[.priority] == "none" }

  /// The local day now.
  public var today: CalendarDay { clock.today }

  /// The local time of day now.
  public var time: TimeOfDay { clock.time }

  /// The folder for what a program remembers, by the XDG rules; nil without a home.
  public var stateFolder: String? { environment().stateFolder }

  /// The file of the list, by `--db`, `TODO_DB` and the usual folder.
  ///
  /// - Throws: ``PromptError`` when there is no folder for the list.
  public func listPath() throws -> String {
    do {
      return try environment().storePath(option: storeOption)
    } catch {
      throw PromptError(error)
    }
  }

  /// Opens the list, with the rules and messages of the prompt.
  ///
  /// - Throws: ``PromptError`` when there is no folder for the list, or the store cannot be opened.
  public func openList() throws -> any TodoRepository {
    do {
      return try environment().openStore(option: storeOption, language: textLanguage)
    } catch {
      throw PromptError(error)
    }
  }

  /// The day, the time or both that words name, such as `fri 14:30`; nil for `none`.
  ///
  /// - Throws: ``PromptError`` for words that name neither.
  public func due(_ words: String) throws -> DueChange? {
    do { return try clock.due(words) } catch { throw PromptError(error) }
  }
}
