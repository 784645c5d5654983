import Croft
import Foundation
import Testing

// A model has another name, and later a new model has its old one, with the schema that it had then.

enum TeamFirst {
  @Model struct Team: Hashable {
    @PrimaryKey var id: Int
    var name: String
  }
  @Model struct Player: Hashable {
    @PrimaryKey var id: Int
    @Relation(onDelete: .cascade) var team: Ref<Team>?
  }
}
enum ClubOnly {
  @Renamed(from: "Team")
  @Model struct Club: Hashable {
    @PrimaryKey var id: Int
    var name: String
  }
  @Model struct Player: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "team") @Relation(onDelete: .cascade) var club: Ref<Club>?
  }
}
/// A team is something new now, and declared as clubs were.
enum ClubAndTeam {
  @Model struct Team: Hashable {
    @PrimaryKey var id: Int
    var name: String
  }
  @Model struct Player: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "team") @Relation(onDelete: .cascade) var club: Ref<ClubOnly.Club>?
    @Relation(onDelete: .cascade) var inTeam: Ref<Team>?
  }
}
/// The club itself has changed as well.
enum ChangedClub {
  @Renamed(from: "Team")
  @Model struct Club: Hashable {
    @PrimaryKey var id: Int
    var name: String
    var year = 0
  }
}
/// The club no longer says what it was.
enum PlainClub {
  @Model struct Club: Hashable {
    @PrimaryKey var id: Int
    var name: String
  }
}

@Suite(.keepsFailedStores) struct FormerModelNameTests {
  private func open(_ temporary: TemporaryStore, _ models: [any Model.Type]) throws -> Store {
    try Store.open(at: temporary.url, models: models, options: .forTests)
  }

  /// Fills a store with teams and has a program rename them to clubs.
  private func withClubs(_ body: (TemporaryStore) throws -> Void) throws {
    try withTemporaryStore(of: TeamFirst.Team.self, TeamFirst.Player.self, checksAtEnd: false) {
      temporary in
      try temporary.open().write { tx in
        try tx.insert(TeamFirst.Team(id: 1, name: "old"))
        try tx.insert(TeamFirst.Player(id: 1, team: Ref(1)))
      }
      let store = try open(temporary, [ClubOnly.Club.self, ClubOnly.Player.self])
      #expect(try store.count(ClubOnly.Club.all) == 1)
      try body(temporary)
    }
  }

  /// The new model had the schema that the renamed one had before, and took its objects in silence:
  /// the clubs were gone, and the teams were the clubs.
  @Test(
    arguments: [
      [ClubOnly.Club.self, TeamFirst.Team.self], [TeamFirst.Team.self, ClubOnly.Club.self],
      [ChangedClub.Club.self, TeamFirst.Team.self], [TeamFirst.Team.self, ChangedClub.Club.self],
      [PlainClub.Club.self, TeamFirst.Team.self], [TeamFirst.Team.self, PlainClub.Club.self],
    ] as [[any Model.Type]])
  func aNewModelUnderARenamedOnesNameIsNew(models: [any Model.Type]) throws {
    try withClubs { temporary in
      for round in 0..<3 {
        let store = try open(temporary, models)
        #expect(try store.count(TeamFirst.Team.all) == round)
        for model in models {
          switch model {
          case is ClubOnly.Club.Type:
            #expect(try store.fetch(ClubOnly.Club.all).map(\.name) == ["old"])
          case is ChangedClub.Club.Type:
            #expect(try store.fetch(ChangedClub.Club.all).map(\.name) == ["old"])
          case is PlainClub.Club.Type:
            #expect(try store.fetch(PlainClub.Club.all).map(\.name) == ["old"])
          default: break
          }
        }
        try store.write { try $0.insert(TeamFirst.Team(id: round, name: "new")) }
        #expect(try store.verify().problems == [])
      }
    }
  }

  @Test(arguments: [0, 1, 2])
  func referencesToTheRenamedModelAndToTheNewOneLeadToTheirOwn(order: Int) throws {
    var models: [any Model.Type] = [
      ClubAndTeam.Team.self, ClubOnly.Club.self, ClubAndTeam.Player.self,
    ]
    models = Array(models[order...] + models[..<order])
    try withClubs { temporary in
      do {
        let store = try open(temporary, models)
        #expect(
          try store.fetch(ClubAndTeam.Player.all)
            == [ClubAndTeam.Player(id: 1, club: Ref(1), inTeam: nil)])
        try store.write { tx in
          try tx.insert(ClubAndTeam.Team(id: 1, name: "new"))
          try tx.insert(ClubAndTeam.Player(id: 2, club: nil, inTeam: Ref(1)))
        }
      }
      let store = try open(temporary, models)
      #expect(try store.verify().problems == [])
      _ = try store.write { try $0.delete(ClubAndTeam.Team.self, 1) }
      #expect(try store.fetch(ClubAndTeam.Player.all).map(\.id) == [1])
      #expect(try store.fetch(ClubOnly.Club.all).map(\.name) == ["old"])
      _ = try store.write { try $0.delete(ClubOnly.Club.self, 1) }
      #expect(try store.count(ClubAndTeam.Player.all) == 0)
    }
  }

  @Test func anOlderProgramFindsItsObjectsUnderTheRenamedModel() throws {
    try withClubs { temporary in
      #expect(
        try open(temporary, [TeamFirst.Team.self]).fetch(TeamFirst.Team.all).map(\.name) == ["old"])
      let store = try temporary.open()
      #expect(try store.fetch(TeamFirst.Player.all).map(\.team) == [Ref(1)])
      try store.write { try $0.insert(TeamFirst.Team(id: 2, name: "by the older one")) }
      #expect(
        try open(temporary, [ClubOnly.Club.self]).fetch(ClubOnly.Club.all).map(\.id) == [1, 2])
    }
  }

  /// Once there is a new model of that name and schema, nothing tells the older program from one
  /// that means the new model.
  @Test func theFormerNameIsTheNewModelsOnceThatIsThere() throws {
    try withClubs { temporary in
      try open(temporary, [ClubOnly.Club.self, TeamFirst.Team.self])
        .write { try $0.insert(TeamFirst.Team(id: 7, name: "new")) }
      #expect(
        try open(temporary, [TeamFirst.Team.self]).fetch(TeamFirst.Team.all).map(\.id) == [7])
      #expect(
        try open(temporary, [ClubOnly.Club.self]).fetch(ClubOnly.Club.all).map(\.id) == [1])
    }
  }

  /// An open store took the new model's objects for its own from one transaction to the next.
  @Test func anOlderProgramThatHasTheStoreOpenIsRefusedOnceItsNameIsANewModels() throws {
    try withClubs { temporary in
      let old = try open(temporary, [TeamFirst.Team.self])
      #expect(try old.count(TeamFirst.Team.all) == 1)
      let new = try open(temporary, [ClubOnly.Club.self, TeamFirst.Team.self])
      guard
        case .schemaMismatch("Team", nil, _) = StoreError.thrown(by: {
          _ = try old.count(TeamFirst.Team.all)
        }),
        case .schemaMismatch("Team", nil, _) = StoreError.thrown(by: {
          try old.write { try $0.insert(TeamFirst.Team(id: 2, name: "old")) }
        })
      else {
        Issue.record("it was served")
        return
      }
      #expect(try new.count(TeamFirst.Team.all) == 0)
      #expect(try new.count(ClubOnly.Club.all) == 1)
    }
  }

  /// An older program's models whose names moved on in a chain are still all its own.
  @Test func anOlderProgramMeetsBothModelsAfterNamesHaveMovedOn() throws {
    try withTemporaryStore(
      of: PlainNames.Red.self, PlainNames.Blue.self, checksAtEnd: false
    ) { temporary in
      try temporary.open().write { tx in
        try tx.insert(PlainNames.Red(id: 1, text: "red"))
        try tx.insert(PlainNames.Blue(id: 1, text: "blue", red: Ref(1)))
      }
      let models: [any Model.Type] = [MovedNames.Blue.self, MovedNames.Green.self]
      for models in [models, models.reversed()] {
        let store = try open(temporary, models)
        #expect(try store.fetch(MovedNames.Blue.all).map(\.text) == ["red"])
        #expect(try store.fetch(MovedNames.Green.all).map(\.text) == ["blue"])
        let old = try temporary.open()
        #expect(try old.fetch(PlainNames.Red.all).map(\.text) == ["red"])
        #expect(try old.fetch(PlainNames.Blue.all).map(\.text) == ["blue"])
        #expect(try old.verify().problems == [])
      }
    }
  }
}

/// `Red` is called `Blue`, and `Blue` is called `Green`.
enum MovedNames {
  @Renamed(from: "Red")
  @Model struct Blue: Hashable {
    @PrimaryKey var id: Int
    var text: String
  }
  @Renamed(from: "Blue")
  @Model struct Green: Hashable {
    @PrimaryKey var id: Int
    var text: String
    var red: Ref<MovedNames.Blue>?
  }
}
