import CroftFoundation
import LineEditing

// Programs that are installed beside this one.
extension Session {
  /// Runs a program on the list, and waits for its end.
  ///
  /// - Parameter arguments: What follows the path of the list.
  func run(_ program: String, _ arguments: [String]) throws {
    // Earlier answers are printed before those of the program.
    environment.output.flush()
    let code = environment.runProgram(program, ["--db", try storePath()] + arguments)
    switch code {
    case 0: break
    // The program has said what was wrong, or the shell why it does not start.
    case .some(1..<128): status = .failed
    default:
      throw CommandError(
        "\(program.visible) ended with the code \(code ?? -1).",
        "\(program.visible): 프로그램이 오류로 끝났습니다. 코드: \(code ?? -1)")
    }
  }
}

extension Environment {
  /// The path of a program that is installed beside the running one; nil where there is none.
  static func program(named name: String) -> String? {
    #if canImport(Darwin)
      let path = CommandLine.arguments.first
    #else
      // Without /proc the name that the program was started by may name its folder.
      let path =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        ?? CommandLine.arguments.first
    #endif
    guard let path, let end = path.lastIndex(of: "/") else { return nil }
    let program = path[...end] + name
    return FileManager.default.isExecutableFile(atPath: String(program)) ? String(program) : nil
  }
}
