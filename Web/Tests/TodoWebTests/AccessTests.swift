import Foundation
import PageServerTesting
import Testing

@testable import PageServer
@testable import TodoWeb

/// What the server answers over a socket, to its page and to everybody else.
struct AccessTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  private var link: String { String(server.address.dropFirst(server.origin.count)) }

  @Test func withoutALinkNothingIsShown() throws {
    let wrong = "todo-\(server.port)=\(String(repeating: "0", count: 32))"
    for path in ["/", "/lists/all", "/lists/all/events", "/assets/page.css", "/nothing"] {
      for headers in [[:], ["Cookie": wrong]] {
        let answer = try server.ask("GET", path, headers)
        #expect(answer.status == 401)
        #expect(answer.text.contains("todo web --link"))
        #expect(answer.text.contains("Scripts/web --link"))
      }
    }
    #expect(try server.ask("POST", "/lists/all/items", body: "line=bread").status == 401)
    #expect(try server.ask("GET", "/?token=").status == 401)
    #expect(try server.ask("GET", "/?token=server").status == 401)
    #expect(try server.ask("GET", "/?token=..%2Fsession").status == 401)
  }

  @Test func aLinkOpensOneBrowser() throws {
    let answer = try server.ask("GET", link)
    #expect(answer.status == 200 && answer.text.contains("url=/lists/all"))
    let cookie = try #require(answer.headers["set-cookie"])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    #expect(try server.ask("GET", link).status == 401)
    let session = ["Cookie": "\(cookie.prefix { $0 != ";" })"]
    #expect(try server.ask("GET", "/lists/all", session).status == 200)
    // The browser that it has opened needs no other one.
    let again = try server.ask("GET", link, session)
    #expect(again.status == 303 && again.headers["location"] == "/lists/all")
    #expect(try server.ask("POST", link, session, body: "").status == 401)
  }

  @Test func aRunningServerGivesNewLinks() throws {
    _ = try server.cookie()
    let new = try server.run("--link")
    #expect(new.code == 0)
    let link = new.output.dropFirst(server.origin.count).dropLast()
    #expect(try server.ask("GET", String(link)).status == 200)
    #expect(try server.ask("GET", String(link)).status == 401)
    server.stop()
    let none = try server.run("--link")
    #expect(none.code == 1 && none.output == "")
    #expect(none.messages.contains("No server shows this list."))
  }

  /// A server that was killed leaves its folder, which says nothing about one that runs.
  @Test func aServerThatWasKilledGivesNoLinks() throws {
    kill(server.process.processIdentifier, SIGKILL)
    server.process.waitUntilExit()
    #expect(try server.run("--link").code == 1)
    try server.restart()
    #expect(try server.run("--link").code == 0)
  }

  @Test func aBrowserComesBackAfterARestart() throws {
    let cookie = try server.cookie()
    #expect(server.stop() == 0)
    try server.restart()
    #expect(try server.ask("GET", "/lists/all", ["Cookie": cookie]).status == 200)
  }

  @Test func aForeignHostIsRefusedEverywhere() throws {
    let cookie = try server.cookie()
    for path in ["/lists/all", "/lists/all/events", "/assets/page.js", link, "/nothing"] {
      for host in ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1:\(server.port).evil"] {
        let answer = try server.ask("GET", path, ["Host": host, "Cookie": cookie])
        #expect(answer.status == 403, "\(host) \(path)")
      }
    }
    let local = ["Host": "localhost:\(server.port)", "Cookie": cookie]
    #expect(try server.ask("GET", "/lists/all", local).status == 200)
    #expect(try server.ask("GET", "http://evil.example/", ["Cookie": cookie]).status != 200)
    for head in ["", "Host: evil.example\r\nHost: \(server.host)\r\n"] {
      let connection = try TestConnection(to: server.port)
      connection.send("GET /lists/all HTTP/1.1\r\n\(head)Cookie: \(cookie)\r\n")
      connection.send("Connection: close\r\n\r\n")
      let status = connection.answer()?.status
      #expect(status != 200)
    }
  }

  /// A server that is told another address listens there alone, and is known by it alone.
  @Test func aServerListensWhereItIsTold() throws {
    let server = try TestServer(host: "127.0.0.2")
    #expect(server.address.hasPrefix("http://127.0.0.2:\(server.port)/?token="))
    let cookie = try server.cookie()
    #expect(try server.ask("GET", "/lists/all", ["Cookie": cookie]).status == 200)
    #expect(try server.post("/lists/all/items", "line=bread", cookie: cookie).status == 303)
    for host in ["127.0.0.1", "localhost"] {
      let headers = ["Host": "\(host):\(server.port)", "Cookie": cookie]
      #expect(try server.ask("GET", "/lists/all", headers).status == 403)
      let origin = ["Origin": "http://\(host):\(server.port)", "Cookie": cookie]
      #expect(try server.ask("POST", "/lists/all/items", origin, body: "line=x").status == 403)
    }
    #expect(throws: POSIXError.self) { try TestConnection(to: server.port, at: "127.0.0.1") }
    #expect(try server.run("--link").output.hasPrefix(server.origin))
  }

  @Test func aServerThatIsToldNoAddressIsReachedOnThisMachineAlone() throws {
    // Every address that begins so is this machine's, and would be reached by a server of all addresses.
    #expect(throws: POSIXError.self) { try TestConnection(to: server.port, at: "127.0.0.2") }
  }

  @Test func aDesktopOpensTheLink() throws {
    let programs = server.folder.appending(path: "bin")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: false)
    let program = programs.appending(path: "xdg-open").path
    let text = server.folder.appending(path: "text")
    let opened = server.folder.appending(path: "opened")
    let script = """
      #!/bin/sh
      echo "$@" >>'\(opened.path)'

      """
    try Data(script.utf8).write(to: text)
    // Another process makes the program: while this one has a file open for writing, what another test starts
    // inherits that for a moment, and the file cannot be run meanwhile (`ETXTBSY`).
    let copies = "cp '\(text.path)' '\(program)' && chmod 700 '\(program)'"
    #expect(try server.run(shell: copies, "--link").code == 0)
    let desktop = "export DISPLAY=:0 PATH='\(programs.path)':$PATH"
    // Neither without a desktop nor where the user does not want it.
    for (shell, opens) in [("true", true), (desktop, false)] {
      #expect(try server.run(shell: shell, opens: opens, "--link").code == 0)
    }
    let run = try server.run(shell: desktop, opens: true, "--link")
    #expect(run.code == 0 && run.messages == "")
    func lines() -> String? { try? String(contentsOf: opened, encoding: .utf8) }
    // The program that opens a browser is not waited for.
    let end = ContinuousClock.now + .seconds(20)
    while lines()?.last != "\n", ContinuousClock.now < end { sched_yield() }
    #expect(lines() == run.output)
  }

  /// Browsers name no address that stands for all, and would be refused.
  @Test func aServerNamesTheAddressOfItsBrowsers() throws {
    for host in ["0.0.0.0", "::", ""] {
      let run = try server.run("--host", host)
      #expect(run.code != 0 && run.output == "")
      #expect(run.messages.contains("Name the address that browsers will use"))
    }
    for port in ["-1", "65536", "http"] {
      let run = try server.run("--port", port)
      #expect(run.code == 64 && run.messages == "A port is a number from 0 to 65535.\n")
    }
    #expect(WebServer.name(of: "192.168.1.5", port: 80) == "192.168.1.5:80")
    #expect(WebServer.name(of: "::1", port: 80) == "[::1]:80")
  }

  /// What the system says about it was shown, with names of functions.
  @Test func aServerThatCannotListenSaysWhyInASentence() throws {
    let taken = try server.run("--port", "\(server.port)")
    #expect(taken.code == 1 && taken.output == "")
    #expect(
      taken.messages
        == "Another program uses the port \(server.port); choose another with --port.\n")
    // An address for documentation, which no machine has, and a name that nothing has.
    for host in ["192.0.2.1", "example.invalid"] {
      let run = try server.run("--host", host)
      #expect(run.code == 1)
      #expect(run.messages == "This machine has no address \"\(host)\" to listen at.\n")
    }
    let korean = try server.run(korean: true, "--port", "\(server.port)")
    #expect(korean.messages.hasPrefix("다른 프로그램이 \(server.port)번 포트를"))
  }

  /// It ran on, and nobody could open it.
  @Test func aServerWithoutALinkEndsAndSaysWhy() throws {
    _ = try server.cookie()
    #expect(server.stop() == 0)
    let servers = server.folder.appending(path: ".local/state/todo/web")
    let names = try FileManager.default.contentsOfDirectory(atPath: servers.path)
    // Not the first thing that the server does there: it listens already.
    for name in names where name.hasPrefix("session-") {
      let secret = servers.appending(path: name)
      try FileManager.default.removeItem(at: secret)
      try FileManager.default.createDirectory(at: secret, withIntermediateDirectories: false)
    }
    let run = try server.run("--port", "\(server.port)")
    #expect(run.code == 1 && run.output == "")
    #expect(run.messages.hasPrefix("No link to the page can be made in \(servers.path) ("))
    #expect(run.messages.hasSuffix("). Make room, or let this user write there.\n"))
    #expect(run.messages.split(separator: "\n").count == 1)
  }

  @Test func aServerWithoutAFolderForLinksDoesNotStart() throws {
    let run = try server.run(shell: "export XDG_STATE_HOME=/proc")
    #expect(run.code == 1 && run.output == "")
    #expect(run.messages.hasPrefix("No link to the page can be made in /proc/todo/web ("))
  }

  @Test func aWriteOfAnotherSiteIsRefused() throws {
    let cookie = try server.cookie()
    let others = ["http://evil.example", "null", "https://\(server.host)", "http://127.0.0.1"]
    for origin in [nil] + others {
      var headers = ["Cookie": cookie]
      headers["Origin"] = origin
      let answer = try server.ask("POST", "/lists/all/items", headers, body: "line=from+afar")
      #expect(answer.status == 403)
    }
    #expect(try !server.ask("GET", "/lists/all", ["Cookie": cookie]).text.contains("from afar"))
  }

  @Test func everyAnswerHasTheHeadersThatGuardIt() throws {
    let cookie = try server.cookie()
    let large = String(repeating: "x", count: 70_000)
    let answers = [
      try server.ask(), try server.ask("GET", "/lists/all", ["Cookie": cookie]),
      try server.ask("GET", "/nothing", ["Cookie": cookie]),
      try server.ask("GET", "/lists/all", ["Host": "evil.example"]),
      try server.post("/lists/all/items", "line=" + large, cookie: cookie),
    ]
    #expect(answers.map(\.status) == [401, 200, 404, 403, 413])
    for answer in answers {
      let policy = answer.headers["content-security-policy"]
      #expect(policy?.hasPrefix("default-src 'self'; frame-ancestors 'none'") == true)
      #expect(answer.headers["x-content-type-options"] == "nosniff")
      #expect(answer.headers["cache-control"] == "no-store")
    }
  }

  /// An answer that splits, or a way to another site, would be in the headers of a redirect.
  @Test func aRedirectNeverLeavesTheServer() throws {
    let cookie = try server.cookie()
    for back in [
      "//evil.example", "http://evil.example", "/lists/x%0d%0aX-Evil:1", "/lists//",
      "/lists/..//evil.example", "/items/../../x",
    ] {
      let answer = try server.post(
        "/lists/all/items", "line=bread&back=\(back)", cookie: cookie)
      #expect(answer.status == 303)
      #expect(answer.headers["location"]?.hasPrefix("/lists/all?") == true)
      #expect(answer.headers["x-evil"] == nil)
    }
  }
}
