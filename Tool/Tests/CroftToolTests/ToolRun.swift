import Foundation

@testable import CroftTool

/// One run of the program, with lines that it reads: what it writes, and its exit code.
struct ToolRun {
  var code: Int32 = 0
  var output = ""
  var messages: [String] = []
  /// Lines that it did not read.
  var unread: [String] = []
  /// What it showed of how far it is, without the empty text that ends that.
  var progress: [String] = []

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - isTyped: Whether the lines come from a terminal.
  ///   - isShown: Whether the results go to one.
  init(_ words: [String], input: [String] = [], isTyped: Bool = false, isShown: Bool) {
    final class Written {
      var output = ""
      var messages: [String] = []
      var progress: [String] = []
      var input: [String]
      init(_ input: [String]) { self.input = input }
    }
    let written = Written(input)
    let streams = Streams(
      readLine: { written.input.isEmpty ? nil : written.input.removeFirst() },
      isInputTerminal: isTyped, isOutputTerminal: isShown,
      write: { written.output += String(decoding: $0, as: UTF8.self) },
      report: { written.messages.append($0) },
      showProgress: { if !$0.isEmpty { written.progress.append($0) } })
    code = Program.run(words, streams)
    (output, messages, unread) = (written.output, written.messages, written.input)
    progress = written.progress
  }
}
