import ArgumentParser
import Foundation
import PageServer
import Presentation
import TodoPrompt
import TodoWeb

/// `todo-web`: shows the list of the prompt in a browser.
@main
struct TodoWeb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo-web", abstract: "Shows the to-do list in a browser, on this machine alone.")

  @Option(name: .customLong("db"), help: "The file that holds the items.")
  var storePath: String?

  // A value that begins with a dash is one, and is told to be wrong.
  @Option(parsing: .unconditional, help: "The port to listen at; a free one without it.")
  var port = "0"

  @Option(parsing: .unconditional, help: "The address to listen at, if not this machine alone.")
  var host = "127.0.0.1"

  @Flag(help: "Print a new link to the server that runs, and start none.")
  var link = false

  @Flag(help: "Print the address, and open no browser.")
  var noOpen = false

  func run() async throws {
    let settings = TodoSettings(storePath: storePath)
    do {
      if link { return try printLink(settings) }
      let server = try TodoServer(
        repository: settings.openList(), settings: settings, host: try hostName(settings),
        port: try portNumber(settings))
      let opens = !noOpen
      try await server.run { address in
        Self.print(address)
        if opens { Browser.open(address) }
      }
    } catch let error as PromptError {
      Self.fail(error.text(in: settings.language))
      throw ExitCode.failure
    } catch let error as StartError {
      Self.fail(error.text(in: settings.language))
      throw ExitCode.failure
    }
  }

  private func portNumber(_ settings: TodoSettings) throws -> Int {
    if let number = UInt16(port) { return Int(number) }
    Self.fail(
      settings.language == .korean
        ? "포트는 0부터 65535까지의 수입니다." : "A port is a number from 0 to 65535.")
    throw ExitCode.validationFailure
  }

  /// The address, by which browsers name it too, and are let in only by that name.
  private func hostName(_ settings: TodoSettings) throws -> String {
    if !["0", "0.0.0.0", "::", ""].contains(host) { return host }
    Self.fail(
      settings.language == .korean
        ? "브라우저에서 쓸 주소를 쓰세요. 예: 192.168.1.5"
        : "Name the address that browsers will use, such as 192.168.1.5.")
    throw ExitCode.validationFailure
  }

  private func printLink(_ settings: TodoSettings) throws {
    guard let link = try TodoServer.link(for: settings) else {
      Self.fail(
        settings.language == .korean
          ? "이 목록을 보여 주는 서버가 없습니다. \"todo web\"으로 시작하세요."
          : "No server shows this list. \"todo web\" starts one.")
      throw ExitCode.failure
    }
    Self.print(link)
    if !noOpen { Browser.open(link) }
  }

  private static func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func fail(_ message: String) {
    FileHandle.standardError.write(Data((message + "\n").utf8))
  }
}
