import Croft

// Models that change: each version is a struct of one name, in an enum of its own.

enum First {
  @Model struct Person {
    @PrimaryKey var id: Int = 0
    @Indexed var name = ""
    var age = 0
    var note: String?
  }
}
extension First.Person: SwarmModel {
  static var fields: [any ModelField<First.Person>] {
    [
      Property("id", \.id), Property("name", \.name), Property("age", \.age),
      Property("note", \.note),
    ]
  }
}

/// Two properties more, one less, and other indexes.
enum Second {
  @Model struct Person {
    @PrimaryKey var id: Int = 0
    var name = ""
    @Indexed var age = 0
    @Indexed var score = 1.5
    var nick: String?
    #Index<Person>([\.name, \.score.descending])
    #FullText<Person>([\.name, \.nick])
  }
}
extension Second.Person: SwarmModel {
  static var searched: [String] { ["name", "nick"] }
  static var fields: [any ModelField<Second.Person>] {
    [
      Property("id", \.id), Property("name", \.name), Property("age", \.age),
      Property("score", \.score), Property("nick", \.nick),
    ]
  }
}

/// A property of another type, which the migration does not name.
enum Careless {
  @Model struct Person {
    @PrimaryKey var id: Int = 0
    @Indexed var name = ""
    var age: String = ""
  }
}
extension Careless.Person: SwarmModel {
  static var fields: [any ModelField<Careless.Person>] {
    [Property("id", \.id), Property("name", \.name), Property("age", \.age)]
  }
}

/// What the second version has, in another order.
enum Third {
  @Model struct Person {
    @PrimaryKey var id: Int = 0
    var nick: String?
    @Indexed var score = 1.5
    var age = 0
    @Indexed(.descending) var name = ""
    var isKnown = true
    #FullText<Person>([\.name])
  }
}
extension Third.Person: SwarmModel {
  static var searched: [String] { ["name"] }
  static var fields: [any ModelField<Third.Person>] {
    [
      Property("id", \.id), Property("nick", \.nick), Property("score", \.score),
      Property("age", \.age), Property("name", \.name), Property("isKnown", \.isKnown),
    ]
  }
}

extension Family {
  private static let nick = Models.Change.add("Person", "nick", .null)
  private static let note = Models.Change.add("Person", "note", .null)
  private static let score = Models.Change.add("Person", "score", .real(1.5))
  private static let known = Models.Change.add("Person", "isKnown", .bool(true))

  private static let number = Models.Change.refuse("Person", "age") { value in
    if case .text = value { true } else { false }
  }

  static let evolving: [Family] = [
    Family(
      "people",
      versions: [
        Models([ShapeOf(First.Person.self)], changes: [note, number]),
        Models([ShapeOf(Second.Person.self)], changes: [score, nick, number]),
        Models(
          [ShapeOf(Careless.Person.self)],
          migrations: [
            Migration("trim names", Careless.Person.self) { _, new in new?.name += "" }
          ],
          changes: [
            .refuse("Person", "age") { value in if case .int = value { true } else { false } }
          ]),
        Models([ShapeOf(Third.Person.self)], changes: [nick, score, known, number]),
      ])
  ]
}
