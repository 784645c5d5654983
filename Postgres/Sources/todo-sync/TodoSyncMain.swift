import Foundation
import TodoSync

/// The executable: arguments in, an exit code out.
@main
struct TodoSyncMain {
  static func main() async {
    exit(await SyncProgram.run(Array(CommandLine.arguments.dropFirst())))
  }
}
