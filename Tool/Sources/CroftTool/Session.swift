import Croft
import Foundation

/// One run of the program: lines from the arguments or the standard input, in transactions and outside.
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

  init(_ arguments: Arguments, _ file: ShellStore, _ streams: Streams) {
    (self.arguments, self.file, self.streams) = (arguments, file, streams)
    statements = arguments.statements[...]
    shell = Shell(
      file, arguments.format ?? (streams.isOutputTerminal ? .table : .plain), streams,
      writes: arguments.writes, allowsUnknownCases: arguments.allowsUnknownCases)
  }

  /// Whether lines are read from the standard input.
  private var isReading: Bool { arguments.statements.isEmpty && arguments.operation == nil }
  /// Whether a person types the lines.
  private var isTyped: Bool { isReading && streams.isTerminal }

  /// Performs the operation, or all lines.
  ///
  /// - Returns: The exit code.
  /// - Throws: What opening the file and writing results throws.
  func run() throws -> Int32 {
    if arguments.operation == .load { return try load() }
    // Another file than a store ends the run before a line is read.
    do { _ = try file.reading() } catch {
      guard file.exists, arguments.operation?.isDone(despite: error) == true else { throw error }
    }
    if let operation = arguments.operation { return try perform(operation) }
    while true {
      switch try readLines({ try shell.perform($0) }) {
      case .end, .failure, .outcome(.leave): return code
      case .outcome(.begin):
        if try !runTransaction() { return code }
      case .outcome(.next), .outcome(.commit), .outcome(.rollback): break
      }
    }
  }

  /// Performs the operation of the arguments.
  private func perform(_ operation: FileOperation) throws -> Int32 {
    do { try shell.perform(operation) } catch {
      // That files differ is told already.
      if !(error is Shell.FilesDiffer) {
        _ = try note(error)
        return operation.failureCode
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
        progress: { streams.showProgress("\($0) objects") }, from: streams.readLine)
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
      try file.writing().write { tx in
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
      // The lines of a transaction that did not begin must not become commits of their own. A person sees by
      // the prompt that there is none.
      return try note(error) && (hasBegun || isTyped)
    }
  }

  /// Performs lines until one has an outcome beyond its results.
  private func readLines(_ perform: (String) throws -> Shell.Outcome) throws -> Ending {
    while let line = try nextLine() {
      number += 1
      do {
        let outcome = try perform(line)
        if outcome != .next { return .outcome(outcome) }
      } catch {
        if try !note(error) { return .failure }
      }
    }
    return .end
  }

  private func nextLine() throws -> String? {
    if !isReading { return statements.popFirst() }
    if isTyped {
      try streams.write(Data((isInTransaction ? "croft*> " : "croft> ").utf8))
    }
    let line = streams.readLine()
    // The line of the prompt has no end yet.
    if line == nil, isTyped { try streams.write(Data("\n".utf8)) }
    return line
  }

  /// Reports why a line failed.
  ///
  /// - Returns: Whether further lines are read.
  /// - Throws: An error of writing results, which ends the run.
  private func note(_ error: any Error) throws -> Bool {
    if error is Streams.ReaderLeft || error is POSIXError { throw error }
    code = Program.ExitCode.failure
    let place = isReading && !isTyped ? "line \(number): " : ""
    let reason = (error as? ShellCommand.Problem)?.reason ?? "\(error)"
    streams.report("croft: \(place)\(reason)")
    return isTyped || arguments.keepsGoing
  }
}
