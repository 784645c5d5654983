import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The process itself: its streams, its terminal, its signals, and the store on disk.
///
/// Nothing else in the prompt knows where these come from.
package enum Shell {
  /// Runs the program with the process's own arguments, and ends the process with its status.
  package static func main() {
    FileDescriptor.fillClosedStandardStreams()
    useUTF8()
    Interrupts.endProcess()
    let status = Program(host: processHost()).run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }

  private static func processHost() -> Host {
    let environment = ProcessInfo.processInfo.environment
    let input = FileDescriptor.standardInput
    let output = DescriptorOutput(.standardOutput) { outcome in endOutput(outcome) }
    // What cannot be told on standard error cannot be told at all.
    let messages = DescriptorOutput(.standardError) { _ in exit(ProgramStatus.failed.rawValue) }
    let canAsk = input.isTerminal && FileDescriptor.standardError.isTerminal
    let typed = PlainLines(input, promptOutput: messages)
    var terminal: (name: String, session: Int)?
    if let name = input.terminalName { terminal = (name, input.terminalSession ?? 0) }
    return Host(
      environment: environment, output: output, messages: messages,
      answers: canAsk ? TerminalAnswers(lines: typed, output: messages) : nil,
      terminal: terminal,
      clock: WallClock(now: { Date.now }, secondsFromUTC: secondsFromUTC),
      script: PlainLines(input),
      startEditor: { history in
        Interrupts.endQuestion()
        let canEdit = canAsk && environment["TERM"] != "dumb"
        return (canEdit ? EditLineSource(history: history) : nil) ?? typed
      },
      openRepository: { path in try CroftTodoRepository(path: path) })
  }

  /// The system's own answer, by `TZ` and the machine's settings.
  @Sendable private static func secondsFromUTC(_ date: Date) -> Int {
    var seconds = time_t(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    var parts = tm()
    tzset()
    localtime_r(&seconds, &parts)
    return parts.tm_gmtoff
  }

  /// The line editor measures and decodes by the locale, and can do nothing without UTF-8.
  private static func useUTF8() {
    setlocale(LC_CTYPE, "")
    if String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
  }

  /// Ends the process when results can no longer be written: quietly when nobody reads on.
  private static func endOutput(_ outcome: FileDescriptor.Outcome) -> Never {
    if case .failed(let code) = outcome {
      let text = "todo: cannot write results: \(FileDescriptor.reason(code: code))\n"
      _ = FileDescriptor.standardError.write(Array(text.utf8))
    }
    exit(ProgramStatus.failed.rawValue)
  }
}
