import Croft

/// The models as the first program has them: no index over the items but their key.
enum Plain {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    var rank: Int
    var code: String
    var text: String
    @Relation(onDelete: .cascade) var owner: Ref<Owner>?
  }
}

/// The models as most workloads have them.
enum Indexed {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    @Indexed var rank: Int
    @Indexed(.unique) var code: String
    var text: String
    @Relation(onDelete: .cascade) var owner: Ref<Owner>?
    #FullText<Item>([\.text, \.code])
  }
}

/// The items after a change of a type, which a migration makes.
enum Changed {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    @Indexed var rank: String
    @Indexed(.unique) var code: String
    var text: String
    @Relation(onDelete: .cascade) var owner: Ref<Owner>?
  }

  static let migration = Migration("ranks are texts", Item.self, replacing: \.rank) {
    old, new in
    new?.rank = "rank \(try old["rank", as: Int.self])"
  }
}

@Model struct Owner: Hashable {
  @PrimaryKey var id: Int
  var name: String
}

/// How far a writer has come, one of several or the only one.
@Model struct Lane: Hashable {
  @PrimaryKey var id: Int
  var number: Int
}

/// A write of one of several writers, each of which numbers its own.
@Model struct Entry: Hashable {
  @PrimaryKey var id: Int
  @Indexed var lane: Int
  var number: Int
  var text: String
}

/// Objects that are written to a store that was found after a power cut.
@Model struct Afterwards: Hashable {
  @PrimaryKey var id: Int
}
