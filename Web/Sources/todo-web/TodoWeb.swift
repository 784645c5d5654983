import ArgumentParser
import Foundation
import TodoPrompt
import TodoWeb

/// `todo-web`: shows the list of the prompt in a browser.
@main
struct TodoWeb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo-web", abstract: "Shows the to-do list in a browser, on this machine alone.")

  @Option(name: .customLong("db"), help: "The file that holds the items.")
  var storePath: String?

  @Option(help: "The port to listen at; a free one without it.")
  var port = 0

  @Flag(help: "Print the address, and open no browser.")
  var noOpen = false

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("A port is a number from 0 to 65535.")
    }
  }

  func run() async throws {
    let settings = TodoSettings(storePath: storePath)
    do {
      let server = try TodoServer(
        repository: settings.openList(), settings: settings, port: port)
      let opens = !noOpen
      try await server.run { address in
        FileHandle.standardOutput.write(Data((address + "\n").utf8))
        if opens { Self.open(address) }
      }
    } catch let error as PromptError {
      FileHandle.standardError.write(Data((error.text(in: settings.language) + "\n").utf8))
      throw ExitCode.failure
    }
  }

  /// Opens the address where there is a desktop; elsewhere the printed one is enough.
  private static func open(_ address: String) {
    let process = Process()
    #if os(macOS)
      process.executableURL = URL(filePath: "/usr/bin/open")
    #else
      let variables = ProcessInfo.processInfo.environment
      guard variables["DISPLAY"] != nil || variables["WAYLAND_DISPLAY"] != nil else { return }
      process.executableURL = URL(filePath: "/usr/bin/xdg-open")
    #endif
    process.arguments = [address]
    // Without such a program the user opens the address by hand.
    try? process.run()
  }
}
