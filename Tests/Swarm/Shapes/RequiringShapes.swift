import Croft

// Properties that may be nil in some versions, and need a value in others.

/// Both may be nil.
enum Vacant {
  @Model struct Slot {
    @PrimaryKey var id: Int = 0
    @Indexed var code: Int?
    var level: Int16?
    var count = 0
  }
}
extension Vacant.Slot: SwarmModel {
  static var fields: [any ModelField<Vacant.Slot>] {
    [
      Property("id", \.id), Property("code", \.code), Property("level", \.level),
      Property("count", \.count),
    ]
  }
}

enum Filled {
  @Model struct Slot {
    @PrimaryKey var id: Int = 0
    @Indexed var code = 7
    var level: Int16 = 3
    var count = 0
  }
}
extension Filled.Slot: SwarmModel {
  static var fields: [any ModelField<Filled.Slot>] {
    [
      Property("id", \.id), Property("code", \.code), Property("level", \.level),
      Property("count", \.count),
    ]
  }
}

/// Other defaults, and other indexes.
enum Refilled {
  @Model struct Slot {
    @PrimaryKey var id: Int = 0
    var code = 9
    @Indexed var level: Int16 = 5
    var count = 0
  }
}
extension Refilled.Slot: SwarmModel {
  static var fields: [any ModelField<Refilled.Slot>] {
    [
      Property("id", \.id), Property("code", \.code), Property("level", \.level),
      Property("count", \.count),
    ]
  }
}

/// Values are unique, and objects without one clash with none.
enum Single {
  @Model struct Slot {
    @PrimaryKey var id: Int = 0
    @Indexed(.unique) var code: Int?
    @Indexed var level: Int16?
    var count = 0
  }
}
extension Single.Slot: SwarmModel {
  static var fields: [any ModelField<Single.Slot>] {
    [
      Property("id", \.id), Property("code", \.code), Property("level", \.level),
      Property("count", \.count),
    ]
  }
}

/// A unique value is needed, which a migration makes.
enum Taken {
  @Model struct Slot {
    @PrimaryKey var id: Int = 0
    @Indexed(.unique) var code = 11
    var level: Int16?
    var count = 0
  }
}
extension Taken.Slot: SwarmModel {
  static var fields: [any ModelField<Taken.Slot>] {
    [
      Property("id", \.id), Property("code", \.code), Property("level", \.level),
      Property("count", \.count),
    ]
  }
}

/// There is no default, and a migration makes the value.
enum Computed {
  @Model struct Slot {
    @PrimaryKey var id: Int = 0
    @Indexed var code: Int
    @Indexed(.descending) var level: Int16 = 4
    var count = 0
  }
}
extension Computed.Slot: SwarmModel {
  init() { self.init(code: 0) }
  static var fields: [any ModelField<Computed.Slot>] {
    [
      Property("id", \.id), Property("code", \.code), Property("level", \.level),
      Property("count", \.count),
    ]
  }
}

/// There is neither a default nor a migration.
enum Untold {
  @Model struct Slot {
    @PrimaryKey var id: Int = 0
    var code: Int
    var level: Int16?
    var count = 0
  }
}
extension Untold.Slot: SwarmModel {
  init() { self.init(code: 0) }
  static var fields: [any ModelField<Untold.Slot>] {
    [
      Property("id", \.id), Property("code", \.code), Property("level", \.level),
      Property("count", \.count),
    ]
  }
}

extension Family {
  private static func needs(
    _ code: Int64?, _ level: Int64?, _ migration: (@Sendable (Fields) -> Value)? = nil
  ) -> [Models.Change] {
    [
      .require("Slot", "code", code.map { .int($0) }, migration),
      level.map { .require("Slot", "level", .int($0)) } ?? .relax("Slot", "level"),
    ]
  }
  private static let needsNothing: [Models.Change] = [
    .relax("Slot", "code"), .relax("Slot", "level"),
  ]

  private static let numbering = Migration.convert(\Taken.Slot.code) { old, new in
    guard let slot = new, try old["code", as: Int?.self] == nil else { return }
    new?.code = slot.id
  }
  private static let computing = Migration.convert(\Computed.Slot.code) {
    old, new in
    guard let slot = new, try old["code", as: Int?.self] == nil else { return }
    new?.code = slot.count / 2
  }

  static let requiring: [Family] = [
    Family(
      "slots",
      versions: [
        Models([ShapeOf(Vacant.Slot.self)], changes: needsNothing),
        Models([ShapeOf(Filled.Slot.self)], changes: needs(7, 3)),
        Models([ShapeOf(Refilled.Slot.self)], changes: needs(9, 5)),
        Models([ShapeOf(Single.Slot.self, unique: [["code"]])], changes: needsNothing),
        Models(
          [ShapeOf(Taken.Slot.self, unique: [["code"]])], migrations: [numbering],
          changes: needs(11, nil) { $0["id"] ?? .null }),
        Models(
          [ShapeOf(Computed.Slot.self)], migrations: [computing],
          changes: needs(nil, 4) { row in
            if case .int(let count) = row["count"] { .int(count / 2) } else { .null }
          }),
        Models([ShapeOf(Untold.Slot.self)], changes: needs(nil, nil)),
      ])
  ]
}
