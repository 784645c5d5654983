import Croft
import Foundation

/// The program `croft`: reads its arguments, opens the store, and answers.
public enum Program {
  private enum ExitCode {
    static let failure: Int32 = 1
    /// EX_USAGE of sysexits.
    static let usage: Int32 = 64
    /// EX_NOINPUT of sysexits.
    static let noInput: Int32 = 66
    /// EX_IOERR of sysexits.
    static let output: Int32 = 74
  }

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - words: The arguments without the program's name.
  ///   - streams: Where lines are read and results are written.
  /// - Returns: The exit code: 0, 1 where a query or a command failed, 64 for arguments that are not
  ///   understood, 66 for a file that cannot be opened, 74 for results that cannot be written.
  public static func run(_ words: [String], _ streams: Streams) -> Int32 {
    let arguments: Arguments
    do {
      arguments = try Arguments(words)
    } catch {
      streams.report("croft: \(error.reason); see croft --help")
      return ExitCode.usage
    }
    do {
      if arguments.asksForHelp {
        try streams.write(Data((Arguments.help + "\n").utf8))
        return 0
      }
      var options = Store.Options()
      options.isReadOnly = true
      let store = try Store.open(
        at: URL(filePath: arguments.file), models: [], options: options)
      return try perform(arguments, store, streams)
    } catch is Streams.ReaderLeft {
      return 0
    } catch let error as POSIXError {
      streams.report("croft: the results cannot be written: \(error.localizedDescription)")
      return ExitCode.output
    } catch {
      streams.report("croft: \(error)")
      return ExitCode.noInput
    }
  }

  private static func perform(
    _ arguments: Arguments, _ store: Store, _ streams: Streams
  ) throws -> Int32 {
    let isTyped =
      arguments.statements.isEmpty && streams.isInputTerminal && streams.isOutputTerminal
    let format = arguments.format ?? (streams.isOutputTerminal ? .table : .plain)
    var shell = Shell(store, format, streams)
    var code: Int32 = 0
    var statements = arguments.statements[...]
    var number = 0
    func next() throws -> String? {
      if !arguments.statements.isEmpty { return statements.popFirst() }
      if isTyped { try streams.write(Data("croft> ".utf8)) }
      let line = streams.readLine()
      // The line of the prompt has no end yet.
      if line == nil, isTyped { try streams.write(Data("\n".utf8)) }
      return line
    }
    while let line = try next() {
      number += 1
      do {
        guard try shell.perform(line) else { return code }
      } catch let error where error is Streams.ReaderLeft || error is POSIXError {
        throw error
      } catch let problem as ShellCommand.Problem {
        code = ExitCode.failure
        report(problem.reason)
      } catch {
        code = ExitCode.failure
        report("\(error)")
      }
      if code != 0, !isTyped, !arguments.keepsGoing { return code }
    }
    func report(_ reason: String) {
      let place = arguments.statements.isEmpty && !isTyped ? "line \(number): " : ""
      streams.report("croft: \(place)\(reason)")
    }
    return code
  }
}
