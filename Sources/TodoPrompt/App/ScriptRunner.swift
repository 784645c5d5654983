/// Runs commands that nobody types one by one: `-c`, and lines of standard input.
///
/// The first error ends it and says where it happened, unless told to keep going;
/// the exit code knows about it either way.
struct ScriptRunner {
  let session: Session
  let keepsGoing: Bool

  /// Runs the values of `-c`, each a whole command.
  func run(commands: [String]) -> ProgramStatus {
    var status = ProgramStatus.done
    for (index, line) in commands.enumerated() where !LineTokenizer.isBlankOrComment(line) {
      do throws(CommandError) {
        if case .leave = try session.run(line: LineTokenizer(line).words) { break }
      } catch {
        let place =
          commands.count > 1 ? (phrase: LocalizedText.command(index + 1), text: line) : nil
        session.report(error, at: place)
        if !keepsGoing { return error.status }
        status = .failed
      }
    }
    return status
  }

  /// Runs the lines of a script until it ends.
  ///
  /// - Complexity: each line costs its command, however many came before.
  func run(lines: any LineSource) -> ProgramStatus {
    var status = ProgramStatus.done
    var number = 0
    while let (line, count, isText) = nextCommand(from: lines) {
      let place = (phrase: LocalizedText.line(number + 1), text: line)
      number += count
      do throws(CommandError) {
        if !isText { throw CommandError(.notUTF8) }
        if LineTokenizer.isBlankOrComment(line) { continue }
        if case .leave = try session.run(line: LineTokenizer(line).words) { break }
      } catch {
        session.report(error, at: place)
        status = .failed
        if !keepsGoing { break }
      }
    }
    return status
  }

  /// The next command and how many lines it takes: a backslash at the end joins the next one on.
  private func nextCommand(
    from lines: any LineSource
  ) -> (text: String, lineCount: Int, isText: Bool)? {
    var command = ""
    var count = 0
    while true {
      count += 1
      switch lines.next(prompt: "") {
      case .line(let line):
        command += line
        guard command.hasSuffix("\\"), LineTokenizer(command).opening == .backslash,
          !LineTokenizer.isBlankOrComment(command)
        else { return (command, count, true) }
        command.removeLast()
      case .undecodable: return (command, count, false)
      case .interrupted: continue
      case .end: return count > 1 ? (command, count - 1, true) : nil
      }
    }
  }
}
