import ArgumentParser
import CroftStudio
import Foundation
import PageServer
import Presentation

/// `croft-studio`: shows the file of any store in a browser.
@main
struct Studio: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "croft-studio",
    abstract: "Shows the file of a Croft store in a browser, on this machine alone.",
    discussion: "The file is read, and no object changes without --write.")

  @Argument(help: "The file of the store.")
  var file: String

  // A value that begins with a dash is one, and is told to be wrong.
  @Option(parsing: .unconditional, help: "The port to listen at; a free one without it.")
  var port = "0"

  @Flag(help: "Let pages change objects, each commit after a review.")
  var write = false

  @Option(parsing: .unconditional, help: "How many seconds a query may take.")
  var queryLimit = "10"

  @Flag(help: "Print a new link to the server that runs, and start none.")
  var link = false

  @Flag(help: "Print the address, and open no browser.")
  var noOpen = false

  /// The exit code for a file that cannot be opened: EX_NOINPUT of sysexits.
  private static let noInput = ExitCode(66)

  func run() async throws {
    do {
      if link { return try printLink() }
      guard let port = UInt16(port) else {
        Self.fail("A port is a number from 0 to 65535.")
        throw ExitCode.validationFailure
      }
      guard let queryLimit = UInt16(queryLimit), queryLimit > 0 else {
        Self.fail("A query limit is a number of seconds from 1 to 65535.")
        throw ExitCode.validationFailure
      }
      let server = try makeServer(port: Int(port), queryLimit: .seconds(queryLimit))
      let opens = !noOpen
      try await server.run { address in
        Self.print(address)
        if opens { Browser.open(address) }
      }
    } catch let error as StartError {
      Self.fail(error.text(in: .english))
      throw ExitCode.failure
    }
  }

  private func makeServer(port: Int, queryLimit: Duration) throws -> StudioServer {
    // A store that is opened for writing would be made.
    guard !write || FileManager.default.fileExists(atPath: file) else {
      Self.fail("\(file) does not exist.")
      throw Self.noInput
    }
    do {
      return try StudioServer(
        path: file, isWritable: write, stateFolder: Self.stateFolder, port: port,
        queryLimit: queryLimit)
    } catch {
      Self.fail("\(error)")
      throw Self.noInput
    }
  }

  private func printLink() throws {
    guard let link = try StudioServer.link(toFile: file, stateFolder: Self.stateFolder) else {
      Self.fail("No server shows this file. \"croft-studio FILE\" starts one.")
      throw ExitCode.failure
    }
    Self.print(link)
    if !noOpen { Browser.open(link) }
  }

  /// The folder for the state of Croft's programs, by the XDG rules; nil without a home.
  private static var stateFolder: String? {
    let variables = ProcessInfo.processInfo.environment
    // A relative path is ignored, as the rules say.
    if let folder = variables["XDG_STATE_HOME"], folder.hasPrefix("/") { return folder + "/croft" }
    guard let home = variables["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.local/state/croft"
  }

  private static func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func fail(_ message: String) {
    FileHandle.standardError.write(Data(("croft-studio: " + message + "\n").utf8))
  }
}
