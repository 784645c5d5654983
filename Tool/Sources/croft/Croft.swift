import CroftTool
import Foundation

@main
struct Croft {
  static func main() {
    exit(Program.run(Array(CommandLine.arguments.dropFirst()), .standard))
  }
}
