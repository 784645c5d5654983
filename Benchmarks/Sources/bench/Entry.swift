import ArgumentParser

/// The one executable plays all parts: the command, and the children that run one engine or write.
@main
enum Entry {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case ChildCommand.word: ChildCommand.main(Array(arguments.dropFirst()))
    case WriterCommand.word: WriterCommand.main(Array(arguments.dropFirst()))
    default: BenchCommand.main(arguments)
    }
  }
}
