import Croft

/// A model that refers to itself by every rule, and to clubs.
@Model struct Person: Hashable {
  @PrimaryKey var id: Int
  @Relation(onDelete: .cascade) var boss: Ref<Person>?
  var friend: Ref<Person>?
  @Relation(onDelete: .deny) var guarantor: Ref<Person>?
  var fans: [Ref<Person>] = []
  var clubs: Set<Ref<Club>> = []
  @Relation(onDelete: .cascade) var home: Ref<Club>?
}

/// A model with a text as its key, which refers to people.
@Model struct Club: Hashable {
  @PrimaryKey var name: String
  @Relation(onDelete: .deny) var chair: Ref<Person>?
  @Relation(onDelete: .cascade) var founder: Ref<Person>
  var members: [Ref<Person>] = []
}
