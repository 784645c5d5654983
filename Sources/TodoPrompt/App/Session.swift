import CroftLibc
import LineEditing
import Presentation
import TodoFormats
import TodoKit

/// What commands use: preferences, the numbers of the last list, the store and its view model.
///
/// Numbers keep their meaning from one line to the next. `LineRunner` runs the lines.
///
/// Threads: one.
final class Session {
  let environment: Environment
  /// The preferences of the settings and the program's own arguments, for lines that do not say
  /// otherwise.
  private(set) var base: Preferences
  /// The preferences of the line that is being run, and of messages about it.
  var preferences: Preferences
  /// The exit status of the line that is being run, so far.
  var status = ProgramStatus.done
  /// The position in a script of the line that is being run; nil outside of scripts.
  var place: ScriptRunner.Place?
  /// Whether `quit` has ended the session.
  private(set) var isOver = false
  /// The list that numbers count in; at first the one that the terminal remembers.
  var listed: ListedItems { didSet { isListedNew = true } }
  private var isListedNew = false
  /// The group that the user has opened; nil for all groups.
  var openGroup: TodoGroup?
  var config: Config
  /// The options of the program's own arguments, which come before the settings.
  let options: SharedOptions
  /// Whether the session ends after the line that is being run.
  var isSingleLine = false
  /// Where the prompt reads its lines; nil without a prompt.
  var lines: (any LineSource)?
  /// Where the terminal keeps the list that was printed last; nil without one.
  private let lastList: LastListFile?
  /// The store and what changes it; nil before a command needs it.
  var opened: (repository: any TodoRepository, changes: ChangeSender)?

  /// Makes a session, which opens its list for the first command that needs items.
  ///
  /// - Parameter options: The options with which the preferences were made.
  init(
    environment: Environment, preferences: Preferences, config: Config = Config(),
    options: SharedOptions = SharedOptions()
  ) {
    self.environment = environment
    base = preferences
    self.preferences = preferences
    self.config = config
    self.options = options
    lastList = options.isPrivate ? nil : environment.lastListFile(option: options.storePath)
    listed = lastList?.load() ?? ListedItems()
  }

  /// Leaves the session after the line that runs.
  func end() { isOver = true }

  /// Takes settings that were changed; they hold from the next line on.
  func use(_ config: Config) {
    self.config = config
    base = Preferences(environment: environment.variables, config: config).applying(options)
  }

  /// Saves the list for the next process on the terminal.
  ///
  /// A list that was printed into a pipe is saved too: `less` shows its numbers on the terminal.
  func rememberList() {
    guard isListedNew, let lastList else { return }
    listed = lastList.save(listed)
    isListedNew = false
  }

  /// Whether a later line can use the numbers of lists: of this session, or of the terminal.
  var keepsNumbers: Bool { !isSingleLine || lastList != nil }

  /// Whether results cannot be written any more, so that no other line is run.
  var hasLostOutput: Bool { environment.output.failure != nil }

  /// Begins a line: how it ends, and whether it stores a change, counts from here on.
  func begin(at place: ScriptRunner.Place?) {
    status = .done
    self.place = place
    opened?.changes.hasStored = false
  }

  /// Says that results cannot be written; a line whose change is stored has not failed.
  func reportLostOutput() {
    guard let code = environment.output.failure else { return }
    let isStored = opened?.changes.hasStored ?? false
    if status == .done, !isStored { status = .failed }
    // The reader of a pipe that left wanted no more.
    if code == EPIPE { return }
    let reason = FileReason.text(code: code)
    report(
      isStored
        ? CommandError(
          "The change is stored; the answer cannot be written: \(reason.english).",
          "변경은 저장했지만 답을 쓸 수 없습니다: \(reason.korean).")
        : CommandError(
          "Results cannot be written: \(reason.english).", "결과를 쓸 수 없습니다: \(reason.korean)."))
  }

  /// Reports an error of the line that is being run, and gives the line the error's status.
  func fail(_ error: CommandError) {
    status = error.status
    report(error, at: place)
  }

  /// How a command answers: as the environment, the program's arguments and its line say.
  struct Preferences {
    var output: SharedOptions.OutputFormat = .table
    var color: SharedOptions.ColorChoice = .auto
    var language: TextLanguage
    var assumesYes = false
    var usesPager = true

    /// What the environment asks for, and then the settings.
    ///
    /// A variable that switches colours off comes before the settings, the system's language after
    /// them.
    init(environment variables: [String: String], config: Config = Config()) {
      language =
        config[.language].flatMap(TextLanguage.init(rawValue:))
        ?? TextLanguage(environment: variables)
      if (variables["NO_COLOR"] ?? "").isEmpty {
        color = config[.color].flatMap(SharedOptions.ColorChoice.init(rawValue:)) ?? .auto
      }
    }
  }
}

/// The list, and what words name of it.
extension Session {
  /// Refuses a command where there is no list yet.
  ///
  /// Opening one makes it. A command that copies a list must not make an empty one at a path with
  /// a typing error, and call that the copy.
  func requireList() throws {
    if opened != nil { return }
    let path = try storePath()
    if !environment.hasList(path) {
      throw CommandError(
        "There is no list at \(path.visible). Check --db and TODO_DB, or add an item first.",
        "\(path.visible)에 목록이 없습니다. --db와 TODO_DB를 확인하거나 먼저 할일을 추가하세요.")
    }
  }

  func storePath() throws -> String { try environment.storePath(option: options.storePath) }

  /// Closes the repository; the next command that needs it opens it again.
  func closeRepository() { opened = nil }

  /// The items that words name, in their order.
  func select(_ targets: [String]) throws -> [SelectedItem] {
    try selection().resolve(targets)
  }

  /// What words name, by the last list and the store.
  func selection() throws -> ItemSelection {
    ItemSelection(listed: listed, repository: try repository()) { [unowned self] in
      try conditions(of: $0)
    }
  }

  /// The one item that a word names.
  func selectOne(_ target: String) throws -> SelectedItem {
    let selected = try select([target])
    guard selected.count == 1 else {
      throw CommandError(
        "Only one item can be meant here, and \"\(target.visible)\" names several.",
        "여기에는 할일을 하나만 쓸 수 있습니다. \(target.visible.inQuotes(.topic)) 여럿입니다.", .usage)
    }
    return selected[0]
  }

  /// The list that a name means; all items without a name.
  func selectList(_ name: String?) throws -> SelectedList {
    guard let name else { return SelectedList(list: .all, group: nil) }
    return try groups().list(name)
  }

  /// The list that a line is about which names none: that of the open group, or all items.
  func usualList() -> SelectedList {
    openGroup.map { SelectedList(list: .group(id: $0.id), group: $0) }
      ?? SelectedList(list: .all, group: nil)
  }

  /// The names of the groups of items; no other group is read.
  func groupNames(of items: [TodoItem]) throws -> GroupNames {
    let ids = items.compactMap(\.groupID).unique
    if ids.isEmpty { return GroupNames() }
    let repository = try repository()
    return GroupNames(try ids.compactMap { try repository.group($0) })
  }

  /// The priority of what is added without one, by the variable and then the settings.
  func defaultPriority() throws -> Priority? {
    try environment.defaultPriority(config)
  }
}
