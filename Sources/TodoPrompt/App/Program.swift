import TodoKit

/// One run of `todo`: reads the arguments and chooses between a command, `-c`, a script
/// and the prompt.
struct Program {
  let host: Host

  /// Runs to the end and says how it went.
  func run(_ arguments: [String]) -> ProgramStatus {
    var grammar = Grammar()
    var preferences = Preferences(environment: host.environment)
    preferences.language = MessageLanguage(askedForIn: arguments) ?? preferences.language
    do throws(CommandError) {
      let invocation = try grammar.parse(arguments)
      let session = makeSession(
        preferences.applying(invocation.options), storePath: invocation.options.storePath)
      let status = run(invocation, in: session)
      session.remember()
      return status
    } catch {
      makeSession(preferences, storePath: nil).report(error)
      return error.status
    }
  }

  private func run(_ invocation: Invocation, in session: Session) -> ProgramStatus {
    let options = invocation.options
    let script = ScriptRunner(session: session, keepsGoing: options.keepGoing)
    do throws(CommandError) {
      switch invocation.request {
      case .start where !options.commands.isEmpty:
        return script.run(commands: options.commands)
      case .start:
        // Before the first line is read, so that it is not blamed for a file that will not open.
        try session.repository()
        if host.terminal == nil { return script.run(lines: host.script) }
        let lines = host.startEditor(stateFolder.map(History.init(folder:)))
        return PromptRunner(session: session, lines: lines).run()
      case .help, .text: break
      default: if !options.commands.isEmpty { throw CommandError(.verbAndCommands, .usage) }
      }
      _ = try session.run(invocation)
      return .done
    } catch {
      session.report(error)
      return error.status
    }
  }

  private func makeSession(_ base: Preferences, storePath named: String?) -> Session {
    let host = host
    // A place that is not to be had is the problem of those commands that need it.
    let storePath = try? StorePath(option: named, environment: host.environment).absolutePath
    var memory: LastListFile?
    if let terminal = host.terminal, let stateFolder, let storePath {
      memory = LastListFile(
        folder: stateFolder, terminalName: terminal.name, terminalSession: terminal.session,
        storePath: storePath)
    }
    let surroundings = Surroundings(
      environment: host.environment, output: host.output, messages: host.messages,
      answers: host.answers, memory: memory, clock: host.clock)
    return Session(surroundings: surroundings, base: base) { () throws(CommandError) in
      let place = try StorePath(option: named, environment: host.environment)
      try place.check()
      do { return try host.openRepository(place.path) } catch { throw CommandError(storage: error) }
    }
  }

  private var stateFolder: String? {
    StateFile.stateFolder(environment: host.environment)
  }
}
