import CroftTool
import Foundation

@main
struct Croft {
  static func main() {
    // A write to a reader that left fails, and the program ends with the exit code for that.
    signal(SIGPIPE, SIG_IGN)
    exit(Program.run(Array(CommandLine.arguments.dropFirst()), .standard))
  }
}
