import Croft
import Foundation

/// The program `croft`: reads its arguments, opens the store, and answers.
public enum Program {
  enum ExitCode {
    static let failure: Int32 = 1
    /// What diff ends with where it cannot compare.
    static let trouble: Int32 = 2
    /// EX_USAGE of sysexits.
    static let usage: Int32 = 64
    /// EX_DATAERR of sysexits: rows of an import that are refused.
    static let badData: Int32 = 65
    /// EX_UNAVAILABLE of sysexits: the studio is not there.
    static let unavailable: Int32 = 69
    /// EX_NOINPUT of sysexits.
    static let noInput: Int32 = 66
    /// EX_IOERR of sysexits.
    static let output: Int32 = 74
    /// ^C: 128 and the number of its signal.
    static let interrupted: Int32 = 130
  }

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - words: The arguments without the program's name.
  ///   - streams: Where lines are read and results are written.
  /// - Returns: The exit code: 0, 1 where a query, a statement or a command failed, or files
  ///   differ, 2 where files cannot be compared, 64 for arguments that are not understood, 65 for
  ///   rows of an import that are refused, 66 for a file that cannot be opened, 69 where the studio is
  ///   not there, 74 for results that cannot be written, with `--write` and of
  ///   `repair` also where their reader left, and 1 where that rolled a transaction back.
  public static func run(_ words: [String], _ streams: Streams) -> Int32 {
    if words.first == Studio.word {
      streams.report("croft: \(Studio.run(Array(words.dropFirst())))")
      return ExitCode.unavailable
    }
    let arguments: Arguments
    do {
      arguments = try Arguments(words)
    } catch {
      streams.report("croft: \(error.reason); see croft --help")
      return ExitCode.usage
    }
    do {
      if arguments.asksForHelp {
        let text = arguments.asksForOperators ? OperatorHelp.text : Arguments.help
        try streams.write(Data((text + "\n").utf8))
        return 0
      }
      return try Session(arguments, ShellStore(arguments.file), streams).run()
    } catch is Streams.ReaderLeft {
      // Somebody who changes the store is told that not all was done, or that nothing says so.
      return arguments.operation?.codeWithoutReader ?? (arguments.writes ? ExitCode.output : 0)
    } catch let error as POSIXError {
      streams.report("croft: the results cannot be written: \(error.localizedDescription)")
      return ExitCode.output
    } catch {
      streams.report("croft: \(ErrorText.text(of: error))")
      return ExitCode.noInput
    }
  }
}
