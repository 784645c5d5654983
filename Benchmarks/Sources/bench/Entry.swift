import ArgumentParser

/// The one executable plays both parts: the command, and the child that runs one engine.
@main
enum Entry {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == ChildCommand.word {
      ChildCommand.main(Array(arguments.dropFirst()))
    } else {
      BenchCommand.main(arguments)
    }
  }
}
