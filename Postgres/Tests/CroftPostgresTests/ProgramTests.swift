import Foundation
import Testing

@testable import CroftPostgres

/// `todo sync` on several machines, as users run it.
@Suite struct ProgramTests {
  /// A database in which nothing is prepared, and its address over TCP, where a password is needed.
  private func server() async throws -> (database: TestDatabase, address: String) {
    let database = try await TestDatabase(installed: false)
    let address =
      "postgres://\(database.role("owner"))@127.0.0.1:\(database.cluster.port)/\(database.name)"
    return (database, address)
  }

  private func machine(_ titles: String...) throws -> TestMachine {
    let machine = try TestMachine()
    machine.variables = ["PGPASSWORD": "secret"]
    for title in titles { #expect(try machine.todo("add", title).code == 0) }
    return machine
  }

  @Test func twoListsBecomeOne() async throws {
    let (_, address) = try await server()
    let (a, b) = (try machine("Milk", "Bread"), try machine("Tea"))
    let first = try a.todo("sync", "setup", address)
    #expect(first.code == 0 && first.output == "Synchronized: 2 sent, 0 received.\n", "\(first)")
    let second = try b.todo("sync", "setup", address)
    #expect(second.output == "Synchronized: 1 sent, 2 received.\n", "\(second)")
    #expect(try a.todo("sync").output == "Synchronized: 0 sent, 1 received.\n")
    let titles = try a.titles()
    #expect(titles.sorted() == ["Bread", "Milk", "Tea"])
    // Items with equal order keys are in one order everywhere.
    #expect(try b.titles() == titles)
  }

  /// A conflict is told once, in words, in the language of the machine.
  @Test func aConflictIsToldOnce() async throws {
    let (_, address) = try await server()
    let (a, b) = (try machine("Milk"), try machine())
    #expect(try a.todo("sync", "setup", address).code == 0)
    #expect(try b.todo("sync", "setup", address).code == 0)
    #expect(try b.todo("edit", b.id(of: "Milk"), "Oat milk").code == 0)
    #expect(try a.todo("edit", a.id(of: "Milk"), "Goat milk").code == 0)
    #expect(try a.todo("sync").code == 0)
    let told = try b.todo("sync")
    let sentence =
      /"Goat milk": the title was changed on another machine at \d\d:\d\d; yours was "Oat milk"\./
    #expect(told.output.contains(sentence), "\(told)")
    #expect(try b.titles() == ["Goat milk"])
    #expect(try !b.todo("sync").output.contains("another machine"))
    // Deleted there, edited here.
    b.variables["LC_ALL"] = "ko_KR.UTF-8"
    #expect(try a.todo("rm", a.id(of: "Goat milk"), "--yes").code == 0)
    #expect(try a.todo("sync").code == 0)
    #expect(try b.todo("star", b.id(of: "Goat milk")).code == 0)
    let gone = try b.todo("sync")
    #expect(gone.output.contains("\"Goat milk\": 다른 컴퓨터에서 삭제"), "\(gone)")
    #expect(try b.titles().isEmpty)
  }

  /// What another program wrote and this one cannot read is hidden, and told once.
  @Test func whatCannotBeReadIsHidden() async throws {
    let (database, address) = try await server()
    let machine = try machine("Milk", "Tea")
    #expect(try machine.todo("sync", "setup", address).code == 0)
    let control = try await database.cluster.control(database.name)
    try await control.run(
      script: """
        WITH next AS (UPDATE croft.spaces SET version = version + 1 RETURNING id, version),
        pushed AS (
          INSERT INTO croft.pushes (space, version, id, replica)
          SELECT id, version, gen_random_uuid(), gen_random_uuid() FROM next),
        other AS (
          INSERT INTO croft.objects (space, model, key, version, deleted, stamps, fields, prior, created)
          SELECT id, 77, '\\x01', version, false, '\\x01', '\\x01', 0, version FROM next)
        UPDATE croft.objects AS o SET version = next.version, fields = '\\x07' FROM next
        WHERE o.space = next.id AND o.model > 0 AND position('Milk'::bytea IN o.fields) > 0
        """, within: .seconds(60))
    let told = try machine.todo("sync")
    #expect(told.code == 0 && told.output.contains("\"Milk\" is hidden"), "\(told)")
    #expect(told.output.contains("objects of a kind"), "\(told)")
    #expect(try machine.titles() == ["Tea"])
    #expect(try machine.todo("add", "Bread").code == 0)
    #expect(try machine.todo("sync").output == "Synchronized: 1 sent, 0 received.\n")
  }

  @Test func aPasswordComesFromTheEnvironmentOrAFile() async throws {
    let (_, address) = try await server()
    let machine = try machine("Milk")
    machine.variables = [:]
    let nothing = try machine.todo("sync", "setup", address)
    #expect(nothing.code == 1 && nothing.messages.contains("password"), "\(nothing)")
    let open = try machine.write("secret\n", to: "open", mode: 0o644)
    let refused = try machine.todo("sync", "setup", address, "--password-file", open)
    #expect(refused.code == 1 && refused.messages.contains("chmod 600"), "\(refused)")
    let file = try machine.write("secret\n", to: "password", mode: 0o600)
    #expect(try machine.todo("sync", "setup", address, "--password-file", file).code == 0)
    // It is remembered where the file is, and not what it says.
    #expect(try machine.todo("sync").code == 0)
    let settings = machine.folder.appending(path: ".local/share/todo/todo.croft.sync")
    let text = try String(contentsOf: settings, encoding: .utf8)
    #expect(text.contains("password") && !text.contains("secret"))
    let mode = try FileManager.default.attributesOfItem(atPath: settings.path)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
  }

  @Test func aPasswordInTheAddressIsRefused() async throws {
    let machine = try machine()
    let refused = try machine.todo("sync", "setup", "postgres://anna:secret@127.0.0.1/todo")
    #expect(refused.code != 0 && refused.messages.contains("--password-file"))
    #expect(!(refused.messages + refused.output).contains("secret"))
  }

  @Test func statusTellsWhatIsNotSent() async throws {
    let (_, address) = try await server()
    let machine = try machine()
    let unshared = try machine.todo("sync", "status")
    #expect(unshared.code == 1 && unshared.messages.contains("todo sync setup"), "\(unshared)")
    #expect(try machine.todo("sync", "setup", address).code == 0)
    #expect(try machine.todo("add", "Milk").code == 0)
    let status = try machine.todo("sync", "status")
    #expect(status.output.contains("Server: \(address)"), "\(status)")
    #expect(status.output.contains("Not sent yet: 1.") && status.output.contains("answers"))
    #expect(
      status.output.contains(/Last synchronized: (\d{4}-\d\d-\d\d )?\d\d:\d\d\./), "\(status)")
    let again = try machine.todo("sync", "setup", address)
    #expect(again.code == 1 && again.messages.contains("shared already"))
    #expect(try machine.todo("sync", "leave").code == 0)
    #expect(try machine.titles() == ["Milk"])
    #expect(try machine.todo("sync").code == 1)
  }

  /// Without the server the list is used as before, and its changes are sent later.
  @Test func changesAreKeptWithoutTheServer() async throws {
    let (database, address) = try await server()
    let machine = try machine("Milk")
    #expect(try machine.todo("sync", "setup", address).code == 0)
    let control = try await PostgresServerControl(database)
    try await control.allowConnections(false)
    #expect(try machine.todo("add", "Tea").code == 0)
    let offline = try machine.todo("sync")
    #expect(offline.code == 1 && !offline.messages.isEmpty)
    try await control.allowConnections(true)
    #expect(try machine.todo("sync").output == "Synchronized: 1 sent, 0 received.\n")
  }

  /// A database that an older program prepared is prepared again by its owner, and others are told to wait for that.
  @Test func aDatabaseOfAnOlderProgramIsUpdated() async throws {
    let (database, address) = try await server()
    let (a, b) = (try machine("Milk"), try machine("Tea"))
    #expect(try a.todo("sync", "setup", address).code == 0)
    let owner = try await TestReplica(database, as: "owner")
    let other = database.role("other")
    try await owner.run(
      "SELECT croft.add_member(id, $1::name, true) FROM croft.spaces", .text(other))
    let theirs = address.replacing(database.role("owner"), with: other)
    #expect(try b.todo("sync", "setup", theirs).output == "Synchronized: 1 sent, 1 received.\n")
    try await owner.run("UPDATE croft.format SET version = 1, functions = 2")
    #expect(try b.todo("add", "Bread").code == 0)
    let refused = try b.todo("sync")
    #expect(refused.code == 1 && refused.messages.contains("older program"), "\(refused)")
    #expect(refused.messages.contains("belongs to the role \(database.role("owner"))"))
    let updated = try a.todo("sync").output
    #expect(updated.hasPrefix("The database is prepared for this version now."), "\(updated)")
    #expect(updated.hasSuffix("\nSynchronized: 0 sent, 1 received.\n"))
    #expect(try b.todo("sync").output == "Synchronized: 1 sent, 0 received.\n")
  }

  /// A user whom the owner has let make spaces begins a list without the rights of the owner.
  @Test func aUserWhoMayMakeSpacesBeginsAList() async throws {
    let (database, address) = try await server()
    try await Postgres.install(on: database.owner)
    let owner = try await TestReplica(database, as: "owner")
    let other = database.role("other")
    let theirs = address.replacing(database.role("owner"), with: other)
    let machine = try machine("Milk")
    let refused = try machine.todo("sync", "setup", theirs)
    #expect(refused.code == 1 && refused.messages.contains("may not prepare"), "\(refused)")
    try await owner.run(
      "GRANT EXECUTE ON FUNCTION croft.create_space, croft.add_member TO \(other)")
    let begun = try machine.todo("sync", "setup", theirs)
    #expect(begun.output == "Synchronized: 1 sent, 0 received.\n", "\(begun)")
  }

  /// Two groups of one name become one, with the items of both.
  @Test func groupsOfOneNameBecomeOne() async throws {
    let (_, address) = try await server()
    let (a, b) = (try machine(), try machine())
    for (machine, title) in [(a, "Milk"), (b, "Tea")] {
      #expect(try machine.todo("group", "add", "Home").code == 0)
      #expect(try machine.todo("add", title, "-g", "Home").code == 0)
    }
    #expect(try a.todo("sync", "setup", address).code == 0)
    let told = try b.todo("sync", "setup", address)
    #expect(told.output.contains("\"Home\" was made on another machine too"), "\(told)")
    #expect(try a.todo("sync").code == 0)
    for machine in [a, b] {
      let groups = try machine.todo("group", "-o", "json").output
      #expect(groups.components(separatedBy: "\"Home\"").count == 2, "\(groups)")
      // Items of others are counted.
      #expect(groups.contains("\"total\":2"), "\(groups)")
      #expect(try machine.todo("ls", "Home", "-o", "json").output.contains("Milk"))
      #expect(try machine.todo("ls", "Home", "-o", "json").output.contains("Tea"))
    }
  }
}
