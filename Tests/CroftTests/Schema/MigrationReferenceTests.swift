import Croft
import Foundation
import Testing

// Teams and those who belong to them, before and after the teams' key changed.

enum Numbered {
  @Model struct Team: Hashable {
    @PrimaryKey var id: Int
    var name: String
  }
  @Model struct Player: Hashable {
    @PrimaryKey var id: Int
    @Relation(onDelete: .cascade) var team: Ref<Team>?
    var guests: [Ref<Team>] = []
  }
}

enum ByName {
  @Model struct Team: Hashable {
    var id: Int
    @PrimaryKey var name: String
  }
  @Model struct Player: Hashable {
    @PrimaryKey var id: Int
    @Relation(onDelete: .cascade) var team: Ref<Team>?
    var guests: [Ref<Team>] = []
  }
}

/// The numbers of teams, without a word about what they mean.
enum Unrelated {
  @Model struct Player: Hashable {
    @PrimaryKey var id: Int
    var team: Int?
    var guests: [Int] = []
  }
}

/// The same references to another model.
enum Elsewhere {
  @Model struct Squad: Hashable {
    @PrimaryKey var id: Int
    var name = ""
  }
  @Model struct Player: Hashable {
    @PrimaryKey var id: Int
    var team: Ref<Squad>?
    var guests: [Ref<Squad>] = []
  }
}

enum WithCaptain {
  @Model struct Player: Hashable {
    @PrimaryKey var id: Int
    var team: Ref<Numbered.Team>?
    var guests: [Ref<Numbered.Team>] = []
    var home: Ref<Numbered.Team> = Ref(2)
  }
}

/// A change of the schema never leaves a reference to nothing.
@Suite(.keepsFailedStores) struct MigrationReferenceTests {
  private static let teams = (1...3).map { Numbered.Team(id: $0, name: "team \($0)") }
  private static let players = (0..<30).map { id in
    Numbered.Player(
      id: id, team: id % 4 == 0 ? nil : Ref(id % 4),
      guests: id % 5 == 0 ? [Ref(3), Ref(1), Ref(3)] : [])
  }
  private static let renumbering = Migration("renumber", Numbered.Team.self) { _, new in
    new?.id += 100
  }

  private func withPlayers(_ body: (TemporaryStore) throws -> Void) throws {
    try withTemporaryStore(
      of: Numbered.Team.self, Numbered.Player.self, checksAtEnd: false
    ) { temporary in
      try temporary.open().write { tx in
        try tx.insert(contentsOf: Self.teams)
        try tx.insert(contentsOf: Self.players)
      }
      try body(temporary)
    }
  }

  private func open(
    _ temporary: TemporaryStore, _ models: any Model.Type..., migrations: [Migration] = []
  ) throws -> Store {
    guard models.count == 2 else {
      return try Store.open(
        at: temporary.url, models: models[0], options: .forTests, migrations: migrations)
    }
    return try Store.open(
      at: temporary.url, models: models[0], models[1], options: .forTests,
      migrations: migrations)
  }

  /// The error of opening about a reference; the store is unchanged.
  private func refusal(
    _ temporary: TemporaryStore, _ field: String, _ body: () throws -> Void
  ) throws -> String {
    let before = try Data(contentsOf: temporary.url)
    let error = StoreError.thrown(by: body)
    #expect(try Data(contentsOf: temporary.url) == before)
    #expect(try temporary.open().fetch(Numbered.Player.all) == Self.players)
    guard case .schemaMismatch("Player", field, let reason) = error else {
      Issue.record("another error: \(String(describing: error))")
      return ""
    }
    return reason
  }

  @Test func aMigrationThatChangesKeysIsRefusedWhereReferencesStayBehind() throws {
    try withPlayers { temporary in
      let reason = try refusal(temporary, "team") {
        _ = try open(
          temporary, Numbered.Team.self, Numbered.Player.self, migrations: [Self.renumbering])
      }
      for words in [
        "the object with key 1 would refer to Team 1, which does not exist",
        "Migration(\"…\", Player.self) { old, new in new?.team = … }",
      ] {
        #expect(reason.contains(words), "\(reason)")
      }
    }
  }

  @Test func referencesThatAreMigratedAlongAreSound() throws {
    try withPlayers { temporary in
      let following = Migration("follow", Numbered.Player.self) { old, new in
        new?.team = try old["team", as: Int?.self].map { Ref($0 + 100) }
        new?.guests = try old["guests", as: [Int].self].map { Ref($0 + 100) }
      }
      // Which of the models comes first does not matter.
      let store = try open(
        temporary, Numbered.Player.self, Numbered.Team.self,
        migrations: [Self.renumbering, following])
      let twin = Self.players.map { player in
        var player = player
        player.team = player.team.map { Ref($0.key + 100) }
        player.guests = player.guests.map { Ref($0.key + 100) }
        return player
      }
      #expect(try store.fetch(Numbered.Player.all) == twin)
      #expect(try store.verify().problems == [])
      #expect(
        try store.fetch(Numbered.Player.where { $0.team == Ref(101) }).map(\.id)
          == twin.filter { $0.team == Ref(101) }.map(\.id))
    }
  }

  @Test func forgettingOneOfTheColumnsIsRefusedByItsName() throws {
    try withPlayers { temporary in
      let following = Migration("follow", Numbered.Player.self) { old, new in
        new?.team = try old["team", as: Int?.self].map { Ref($0 + 100) }
      }
      let reason = try refusal(temporary, "guests") {
        _ = try open(
          temporary, Numbered.Team.self, Numbered.Player.self,
          migrations: [Self.renumbering, following])
      }
      #expect(reason.contains("key 0 would refer to Team 1"), "\(reason)")
    }
  }

  @Test func aProgramThatDoesNotKnowWhoRefersIsRefusedToo() throws {
    try withPlayers { temporary in
      let reason = try refusal(temporary, "team") {
        _ = try open(temporary, Numbered.Team.self, migrations: [Self.renumbering])
      }
      #expect(reason.contains("Team 1"), "\(reason)")
    }
  }

  @Test func anObjectThatIsReferredToIsNotDeletedByAMigration() throws {
    try withPlayers { temporary in
      func deleting(_ id: Int) -> Migration {
        Migration("delete \(id)", Numbered.Team.self) { old, new in
          if try old["id", as: Int.self] == id { new = nil }
        }
      }
      let reason = try refusal(temporary, "team") {
        _ = try open(temporary, Numbered.Team.self, migrations: [deleting(2)])
      }
      #expect(reason.contains("Team 2"), "\(reason)")
      _ = try temporary.open().write { tx in
        try tx.update(Numbered.Player.where { $0.team == Ref(2) }) { $0.team = nil }
      }
      let store = try open(temporary, Numbered.Team.self, migrations: [deleting(2)])
      #expect(try store.fetch(Numbered.Team.all).map(\.id) == [1, 3])
      #expect(try store.verify().problems == [])
    }
  }

  @Test func aMigrationThatKeepsKeysNeedsNoWordAboutReferences() throws {
    try withPlayers { temporary in
      let naming = Migration("names", Numbered.Team.self) { _, new in new?.name += "!" }
      let store = try open(temporary, Numbered.Team.self, migrations: [naming])
      #expect(try store.fetch(Numbered.Team.all).map(\.name).allSatisfy { $0.hasSuffix("!") })
      #expect(try temporary.open().fetch(Numbered.Player.all) == Self.players)
      #expect(try temporary.open().verify().problems == [])
    }
  }

  @Test func aKeyOfAnotherTypeTakesItsReferencesAlong() throws {
    try withPlayers { temporary in
      let teams = Migration.convert(\ByName.Team.name) { _, _ in }
      func players(_ name: @escaping @Sendable (Int) -> String) -> Migration {
        .convert(\ByName.Player.team, \ByName.Player.guests) { old, new in
          new?.team = try old["team", as: Int?.self].map { Ref(name($0)) }
          new?.guests = try old["guests", as: [Int].self].map { Ref(name($0)) }
        }
      }
      // The references' type is another one now: without a word about them nothing is opened.
      let untold = try refusal(temporary, "team") {
        _ = try open(temporary, ByName.Team.self, ByName.Player.self, migrations: [teams])
      }
      #expect(untold.contains("the store holds int64?, the program declares string?"))
      let wrong = try refusal(temporary, "team") {
        _ = try open(
          temporary, ByName.Team.self, ByName.Player.self,
          migrations: [teams, players { "tema \($0)" }])
      }
      #expect(wrong.contains("Team \"tema 1\", which does not exist"), "\(wrong)")
      let store = try open(
        temporary, ByName.Team.self, ByName.Player.self,
        migrations: [teams, players { "team \($0)" }])
      #expect(
        try store.fetch(ByName.Player.all).map { $0.team?.key }
          == Self.players.map { $0.team.map { "team \($0.key)" } })
      #expect(try store.verify().problems == [])
      try store.write { _ = try $0.delete(ByName.Team.self, "team 1") }
      #expect(
        try store.count(ByName.Player.all) == Self.players.count { $0.team != Ref(1) })
    }
  }

  /// The message showed a reference's number as a garbled text, since the key was a text by then.
  @Test func aReferenceOfTheFormerKeysTypeIsShownAsWhatItIs() throws {
    try withPlayers { temporary in
      let reason = try refusal(temporary, "team") {
        _ = try open(
          temporary, ByName.Team.self,
          migrations: [.convert(\ByName.Team.name) { _, _ in }])
      }
      #expect(reason.contains("would refer to Team 1, which does not exist"), "\(reason)")
    }
  }

  @Test func numbersBecomeReferencesOnlyWhereTheyLeadSomewhere() throws {
    try withTemporaryStore(
      of: Numbered.Team.self, Numbered.Player.self
    ) { temporary in
      do {
        let store = try open(temporary, Numbered.Team.self, Unrelated.Player.self)
        try store.write { tx in
          try tx.insert(contentsOf: Self.teams)
          try tx.insert(Unrelated.Player(id: 1, team: 3, guests: [1, 4]))
          try tx.insert(Unrelated.Player(id: 2))
        }
      }
      let before = try Data(contentsOf: temporary.url)
      let error = StoreError.thrown { _ = try temporary.open() }
      guard case .schemaMismatch("Player", "guests", let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(reason.contains("key 1 would refer to Team 4"), "\(reason)")
      #expect(try Data(contentsOf: temporary.url) == before)
      try open(temporary, Unrelated.Player.self).write { tx in
        _ = try tx.update(Unrelated.Player.self, 1) { $0.guests = [2] }
      }
      let store = try temporary.open()
      try store.write { _ = try $0.delete(Numbered.Team.self, 2) }
      #expect(try store.get(Numbered.Player.self, 1)?.guests == [])
    }
  }

  @Test func referencesTurnToAnotherModelOnlyWhereItHasTheirKeys() throws {
    try withPlayers { temporary in
      let reason = try refusal(temporary, "team") {
        _ = try open(temporary, Elsewhere.Squad.self, Elsewhere.Player.self)
      }
      #expect(reason.contains("key 1 would refer to Squad 1"), "\(reason)")
      try open(temporary, Elsewhere.Squad.self).write { tx in
        for id in 1...3 { try tx.insert(Elsewhere.Squad(id: id)) }
      }
      let store = try open(temporary, Elsewhere.Squad.self, Elsewhere.Player.self)
      #expect(try store.fetch(Elsewhere.Player.all).map(\.id) == Self.players.map(\.id))
      try store.write { _ = try $0.delete(Elsewhere.Squad.self, 1) }
      #expect(try store.count(Elsewhere.Player.where { $0.team == Ref(1) }) == 0)
      #expect(try store.verify().problems == [])
    }
  }

  @Test func aDefaultReferenceLeadsSomewhereOrIsRefused() throws {
    try withPlayers { temporary in
      try temporary.open().write { tx in
        try tx.update(Numbered.Player.where { $0.team == Ref(2) }) { $0.team = nil }
        _ = try tx.delete(Numbered.Team.self, 2)
      }
      let before = try Data(contentsOf: temporary.url)
      let error = StoreError.thrown {
        _ = try open(temporary, Numbered.Team.self, WithCaptain.Player.self)
      }
      guard case .schemaMismatch("Player", "home", let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(reason.contains("Team 2, which does not exist"), "\(reason)")
      #expect(try Data(contentsOf: temporary.url) == before)
      try temporary.open().write { try $0.insert(Self.teams[1]) }
      let store = try open(temporary, Numbered.Team.self, WithCaptain.Player.self)
      #expect(try store.count(WithCaptain.Player.where { $0.home == Ref(2) }) == 30)
      #expect(try store.verify().problems == [])
    }
  }
}
