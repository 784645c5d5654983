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
  }

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - words: The arguments without the program's name.
  ///   - streams: Where lines are read and results are written.
  /// - Returns: The exit code: 0, 1 where a query or a command failed, 64 for arguments that are not
  ///   understood, 66 for a file that cannot be opened.
  public static func run(_ words: [String], _ streams: Streams) -> Int32 {
    let arguments: Arguments
    do {
      arguments = try Arguments(words)
    } catch {
      streams.report("croft: \(error.reason); see croft --help")
      return ExitCode.usage
    }
    if arguments.asksForHelp {
      return streams.write(Data((Arguments.help + "\n").utf8)) ? 0 : ExitCode.failure
    }
    do {
      var options = Store.Options()
      options.isReadOnly = true
      let store = try Store.open(
        at: URL(filePath: arguments.file), models: [], options: options)
      return perform(arguments, store, streams)
    } catch {
      streams.report("croft: \(error)")
      return ExitCode.noInput
    }
  }

  private static func perform(
    _ arguments: Arguments, _ store: Store, _ streams: Streams
  ) -> Int32 {
    let isTyped = arguments.statements.isEmpty && streams.isTerminal
    let format = arguments.format ?? (streams.isTerminal ? .table : .plain)
    var shell = Shell(store, format, streams)
    var code: Int32 = 0
    var statements = arguments.statements[...]
    var number = 0
    func next() -> String? {
      if !arguments.statements.isEmpty { return statements.popFirst() }
      if isTyped { _ = streams.write(Data("croft> ".utf8)) }
      return streams.readLine()
    }
    while let line = next() {
      number += 1
      do {
        guard try shell.perform(line) else { return code }
      } catch is Shell.ReaderLeft {
        return code
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
