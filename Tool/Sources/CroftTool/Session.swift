import Croft
import Foundation
import LineEditing

/// One run of the program: lines from the arguments or the standard input, in transactions or not.
final class Session {
  /// Rolls a transaction back; `reason` says why, where nobody asked for that.
  private struct RolledBack: Error {
    var reason: String?
  }

  /// Why lines are read no further for now.
  private enum Ending {
    case end
    case failure
    case outcome(Shell.Outcome)
  }

  private let arguments: Arguments
  private let file: ShellStore
  private let streams: Streams
  private var shell: Shell
  private var statements: ArraySlice<String>
  private var number = 0
  private var code: Int32 = 0
  private var isInTransaction = false
  /// The lines of an entry that is not complete, which Tab has to know.
  private var entry = Entry()

  init(_ arguments: Arguments, _ file: ShellStore, _ streams: Streams) {
    (self.arguments, self.file, self.streams) = (arguments, file, streams)
    statements = arguments.statements[...]
    shell = Shell(
      file, arguments.format ?? (streams.isOutputTerminal ? .table : .plain), streams,
      writes: arguments.writes, allowsUnknownCases: arguments.allowsUnknownCases,
      hasWholeLines: arguments.readsLines && !streams.isTerminal,
      parameters: arguments.parameters)
  }

  /// Whether lines are read from the standard input.
  private var isReading: Bool { arguments.readsLines }
  /// Whether a person types the lines.
  private var isTyped: Bool { isReading && streams.isTerminal }

  /// Performs the operation, or all lines.
  ///
  /// - Returns: The exit code.
  /// - Throws: What opening the file and writing results throws.
  func run() throws -> Int32 {
    if arguments.operation == .load { return try load() }
    if let reason = misspeltOperation() {
      streams.report("croft: \(reason)")
      return Program.ExitCode.usage
    }
    // Another file than a store ends the run before a line is read.
    do { _ = try file.reading() } catch {
      if case .diff? = arguments.operation {
        // diff has one code for trouble, whichever file it is.
        _ = try note(error)
        return Program.ExitCode.trouble
      }
      guard file.exists, arguments.operation?.isDone(despite: error) == true else { throw error }
    }
    if let operation = arguments.operation { return try perform(operation) }
    if let reason = shell.refusal(of: arguments) {
      streams.report("croft: \(reason)")
      return Program.ExitCode.usage
    }
    if isTyped {
      streams.input.complete = { [weak self] text in
        self?.candidates(for: text) ?? LineReader.Candidates(word: "", texts: [])
      }
    }
    while true {
      switch try readLines({ try shell.perform($0) }) {
      case .end, .failure, .outcome(.leave): return code
      case .outcome(.begin):
        if try !runTransaction() { return code }
      case .outcome(.interrupted) where !isTyped:
        return Program.ExitCode.interrupted
      case .outcome(.interrupted):
        // The terminal has shown ^C in the row of the prompt.
        try streams.write(Data("\n".utf8))
      case .outcome(.next), .outcome(.commit), .outcome(.rollback): break
      }
    }
  }

  /// Why the word in the place of the file is a misspelt operation; nil where it is not.
  private func misspeltOperation() -> String? {
    let word = arguments.file
    guard arguments.operation == nil, !file.exists, let next = arguments.statements.first,
      word.allSatisfy(\.isLetter), ShellStore(next).exists
    else { return nil }
    let meant = FileOperation.name(meantBy: word).map { "did you mean \($0)?" }
    return "croft has no operation \(word.escaped()); \(meant ?? "croft --help lists them")"
  }

  /// Performs the operation of the arguments.
  private func perform(_ operation: FileOperation) throws -> Int32 {
    do {
      try operation.checkCopy()
      try shell.perform(operation)
    } catch {
      // That files differ is told already.
      if !(error is Shell.FilesDiffer) {
        _ = try note(error)
        return error is Shell.RefusedRows ? Program.ExitCode.badData : operation.failureCode
      }
      code = Program.ExitCode.failure
    }
    return code
  }

  /// Makes the file of a dump's lines.
  private func load() throws -> Int32 {
    do {
      let count = try Store.load(
        at: URL(filePath: arguments.file),
        progress: { streams.showProgress("\($0) objects") },
        from: {
          number += 1
          return try streams.readLine()
        })
      streams.showProgress("")
      try shell.write("Loaded \(count) \(count == 1 ? "object" : "objects").\n")
    } catch {
      streams.showProgress("")
      _ = try note(error)
    }
    return code
  }

  /// Performs the lines of a transaction, up to the one that ends it.
  ///
  /// - Returns: Whether further lines are read.
  private func runTransaction() throws -> Bool {
    var (ending, hasBegun) = (Ending.end, false)
    do {
      try file.writing().write(onProgress: shell.interruptCheck) { tx in
        (isInTransaction, hasBegun) = (true, true)
        defer { isInTransaction = false }
        ending = try readLines { try shell.perform($0, in: &tx) }
        switch ending {
        case .outcome(.commit): return
        case .outcome(.rollback): throw RolledBack()
        case .end, .failure, .outcome:
          throw RolledBack(
            reason: "the transaction is rolled back, because it ended without commit")
        }
      }
      return true
    } catch let error as RolledBack {
      guard let reason = error.reason else { return true }
      code = Program.ExitCode.failure
      streams.report("croft: \(reason)")
      return false
    } catch let error where error is Streams.ReaderLeft || error is POSIXError {
      streams.report(
        "croft: the transaction is rolled back, because its results cannot be written")
      if error is POSIXError { throw error }
      code = Program.ExitCode.failure
      return false
    } catch {
      // The lines of a transaction that did not begin must not become commits of their own. A
      // person sees by the prompt that there is none.
      return try note(error) && (hasBegun || isTyped)
    }
  }

  /// Performs lines until one has an outcome beyond its results.
  private func readLines(_ perform: (String) throws -> Shell.Outcome) throws -> Ending {
    while true {
      do {
        guard let line = try nextLine() else { return .end }
        let outcome = try perform(line)
        if outcome != .next { return .outcome(outcome) }
      } catch {
        if try !note(error) { return .failure }
      }
    }
  }

  private func nextLine() throws -> String? {
    if isTyped { return try nextEntry() }
    number += 1
    return isReading ? try streams.readLine() : statements.popFirst()
  }

  /// The next complete entry of a person; nil at the end.
  ///
  /// ^C drops the lines that were typed of it, and so does the end of the input.
  private func nextEntry() throws -> String? {
    entry = Entry()
    defer { entry = Entry() }
    while true {
      let prompt = isInTransaction ? "croft*> " : "croft> "
      switch streams.input.readLine(prompt: entry.isEmpty ? prompt : Self.continuation(of: prompt))
      {
      case .line(let line):
        entry.add(line)
        guard entry.isComplete else { continue }
        streams.input.remember(entry.text)
        return entry.text
      case .undecodable:
        // Without that line the entry would be another one.
        entry = Entry()
        streams.report("croft: \(Streams.notUTF8)")
      case .failed(let code): throw Streams.Unreadable.failed(code)
      case .interrupted(let hadText):
        if !hadText, entry.isEmpty { streams.report("^D or .quit leaves.") }
        entry = Entry()
      case .end where !entry.isEmpty: entry = Entry()
      case .end: return nil
      }
    }
  }

  /// The prompt of the lines after the first one, as wide as the first one's.
  private static func continuation(of prompt: String) -> String {
    String(repeating: " ", count: max(0, prompt.count - 5)) + "...> "
  }

  /// What Tab offers for the line that is typed.
  private func candidates(for text: String) -> LineReader.Candidates {
    shell.candidates(for: (entry.lines + [text]).joined(separator: "\n"))
  }

  /// Reports why a line failed.
  ///
  /// - Returns: Whether further lines are read.
  /// - Throws: An error of writing results, which ends the run.
  private func note(_ error: any Error) throws -> Bool {
    if error is Streams.ReaderLeft || error is POSIXError { throw error }
    if error is Shell.RefusedRows {
      // The code of another failure stays.
      if code == 0 { code = Program.ExitCode.badData }
    } else if !(error is Shell.Interrupted) {
      code = Program.ExitCode.failure
    }
    let unreadable = error as? Streams.Unreadable
    let hasLines = isReading || unreadable != nil
    let isOneOfSeveral = !isReading && arguments.statements.count > 1
    let place =
      hasLines && !isTyped ? "line \(number): " : isOneOfSeveral ? "command \(number): " : ""
    streams.report("croft: \(place)\(ErrorText.text(of: error))")
    if unreadable?.isEnd == true { return false }
    return isTyped || arguments.keepsGoing
  }
}
