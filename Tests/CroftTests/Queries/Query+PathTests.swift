import Croft
import Foundation
import Testing

/// A house that tenants may live in, on a street.
@Model struct Street: Hashable {
  @PrimaryKey var name: String
  var length: Int?
}

@Model struct House: Hashable {
  @PrimaryKey var id: Int
  var number: Int
  var street: Ref<Street>?
  var isOld = false
}

@Model struct Tenant: Hashable {
  @PrimaryKey var id: Int
  var name: String
  var house: Ref<House>?
  var born: Int
  var moved: Int?
  var friends: [Ref<Tenant>] = []
  var words: [String] = []
  var marks: Set<Int> = []
}

/// Conditions and orders through references and collections.
@Suite(.keepsFailedStores) struct QueryPathTests {
  private static let tenants: [Tenant] = [
    Tenant(id: 1, name: "Ann", house: Ref(10), born: 1990, moved: 1990, words: ["red", "réd"]),
    Tenant(
      id: 2, name: "Bob", house: Ref(11), born: 1970, moved: 2001, friends: [Ref(1)], marks: [3, 5]),
    Tenant(id: 3, name: "Cid", house: Ref(12), born: 1980, friends: [Ref(1), Ref(2), Ref(1)]),
    Tenant(id: 4, name: "Dee", born: 2000, words: ["blue", "red", "blue"], marks: [5]),
    Tenant(
      id: 5, name: "Eve", house: Ref(10), born: 1985, moved: 1999, words: [""], marks: [-2, 9]),
  ]

  private func withTenants(_ body: (Store) throws -> Void) throws {
    try withStore(of: Street.self, House.self, Tenant.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: [
          Street(name: "Main", length: 300), Street(name: "Side", length: nil),
        ])
        try tx.insert(contentsOf: [
          House(id: 10, number: 1, street: Ref("Main"), isOld: true),
          House(id: 11, number: 2, street: Ref("Side")), House(id: 12, number: 7),
        ])
        try tx.insert(contentsOf: Self.tenants)
      }
      try body(store)
    }
  }

  private func ids(_ query: Query<Tenant>, _ store: Store) throws -> [Int] {
    try store.fetch(query).map(\.id)
  }

  @Test func aPathGoesThroughReferences() throws {
    try withTenants { store throws in
      #expect(try ids(Tenant.where { $0.house.number == 1 }, store) == [1, 5])
      #expect(try ids(Tenant.where { $0.house.street.name == "Side" }, store) == [2])
      #expect(try ids(Tenant.where { $0.house.street.length > 100 }, store) == [1, 5])
      #expect(try ids(Tenant.where { $0.house.isOld }, store) == [1, 5])
      #expect(try ids(Tenant.where { $0.house.number.in([2, 7]) }, store) == [2, 3])
      #expect(try ids(Tenant.where { $0.house.street.name.hasPrefix("Ma") }, store) == [1, 5])
      #expect(try ids(Tenant.where { $0.house == Ref(10) }, store) == [1, 5])
    }
  }

  @Test func behindANilReferenceEverythingIsNil() throws {
    try withTenants { store throws in
      #expect(try ids(Tenant.where { $0.house.number != 1 }, store) == [2, 3, 4])
      #expect(try ids(Tenant.where { $0.house.number < 100 }, store) == [1, 2, 3, 5])
      #expect(try ids(Tenant.where { !($0.house.number < 100) }, store) == [4])
      #expect(try ids(Tenant.where { $0.house.isNil }, store) == [4])
      #expect(try ids(Tenant.where { $0.house.number.isNil }, store) == [4])
      #expect(try ids(Tenant.where { $0.house.street.isNil }, store) == [3, 4])
      #expect(try ids(Tenant.where { $0.house.street.length.isNil }, store) == [2, 3, 4])
      #expect(try ids(Tenant.where { $0.house.street.length != nil }, store) == [1, 5])
      #expect(try ids(Tenant.where { $0.house.number.in([nil, 7]) }, store) == [3, 4])
      #expect(try ids(Tenant.where { !$0.house.number.in([nil, 7]) }, store) == [1, 2, 5])
      #expect(try ids(Tenant.where { !$0.house.isOld }, store) == [2, 3, 4])
    }
  }

  @Test func anOrderGoesThroughReferences() throws {
    try withTenants { store throws in
      #expect(try ids(Tenant.all.order(by: \.house.number), store) == [4, 1, 5, 2, 3])
      #expect(
        try ids(Tenant.all.order(by: \.house.street.name.descending, \.born), store)
          == [2, 5, 1, 3, 4])
    }
  }

  @Test func propertiesAreComparedWithEachOther() throws {
    try withTenants { store throws in
      #expect(try ids(Tenant.where { $0.moved == $0.born }, store) == [1])
      #expect(try ids(Tenant.where { $0.moved != $0.born }, store) == [2, 3, 4, 5])
      #expect(try ids(Tenant.where { $0.born < $0.moved }, store) == [2, 5])
      #expect(try ids(Tenant.where { $0.born <= $0.moved }, store) == [1, 2, 5])
      #expect(try ids(Tenant.where { $0.moved >= $0.born }, store) == [1, 2, 5])
      #expect(try ids(Tenant.where { $0.moved > $0.born }, store) == [2, 5])
      #expect(try ids(Tenant.where { $0.id < $0.house.number }, store) == [3])
    }
  }

  // From sixteen equalities on they are looked up in a set, also of elements and across references.
  @Test(arguments: [2, 15, 16, 17, 40])
  func manyEqualitiesOfElementsAreEachOfThem(count: Int) throws {
    let words = (1..<count).map { "word \($0)" } + ["red"]
    let marks = (1..<count).map { 100 + $0 } + [5]
    let names = (1..<count).map { "name \($0)" } + ["Bob"]
    let streets = (1..<count).map { "street \($0)" } + ["Main"]
    func any<C>(_ terms: [QueryCondition<C>]) -> QueryCondition<C> {
      terms.dropFirst().reduce(terms[0]) { $0 || $1 }
    }
    func all<C>(_ terms: [QueryCondition<C>]) -> QueryCondition<C> {
      terms.dropFirst().reduce(terms[0]) { $0 && $1 }
    }
    try withTenants { store throws in
      func expect(_ query: Query<Tenant>, _ isIncluded: (Tenant) -> Bool) throws {
        #expect(try ids(query, store) == Self.tenants.filter(isIncluded).map(\.id))
      }
      try expect(Tenant.where { $0.words.any { word in any(words.map { word == $0 }) } }) {
        $0.words.contains(where: words.contains)
      }
      try expect(Tenant.where { $0.words.any { word in all(words.map { word != $0 }) } }) {
        !$0.words.allSatisfy(words.contains)
      }
      try expect(Tenant.where { $0.marks.any { mark in any(marks.map { mark == $0 }) } }) {
        !$0.marks.isDisjoint(with: marks)
      }
      try expect(Tenant.where { $0.friends.any { friend in any(names.map { friend.name == $0 }) } })
      {
        $0.friends.contains(Ref(2))
      }
      try expect(Tenant.where { tenant in any(streets.map { tenant.house.street.name == $0 }) }) {
        $0.house == Ref(10)
      }
      try expect(Tenant.where { tenant in all(streets.map { tenant.house.street.name != $0 }) }) {
        $0.house != Ref(10)
      }
    }
  }

  @Test func elementsMeetConditions() throws {
    try withTenants { store throws in
      #expect(try ids(Tenant.where { $0.words.contains("red") }, store) == [1, 4])
      #expect(try ids(Tenant.where { $0.words.any { $0.hasPrefix("b") } }, store) == [4])
      #expect(try ids(Tenant.where { $0.words.all { $0 == "red" } }, store) == [2, 3])
      #expect(try ids(Tenant.where { $0.words.none { $0 == "red" } }, store) == [2, 3, 5])
      #expect(try ids(Tenant.where { $0.words.isEmpty }, store) == [2, 3])
      #expect(try ids(Tenant.where { $0.words == ["red", "re\u{301}d"] }, store) == [1])
      #expect(try ids(Tenant.where { $0.marks == [9, -2] }, store) == [5])
      #expect(try ids(Tenant.where { $0.marks.any { $0 > 4 && $0 < 9 } }, store) == [2, 4])
      let folded = TextOptions.diacriticInsensitive
      #expect(
        try ids(Tenant.where { $0.words.all { $0.equals("red", options: folded) } }, store)
          == [1, 2, 3])
    }
  }

  @Test func elementsAreCountedAndAddedUp() throws {
    try withTenants { store throws in
      #expect(try ids(Tenant.where { $0.words.count == 3 }, store) == [4])
      #expect(try ids(Tenant.where { $0.friends.count >= 1 }, store) == [2, 3])
      #expect(try ids(Tenant.where { $0.marks.sum == 7 }, store) == [5])
      #expect(try ids(Tenant.where { $0.marks.sum == 0 }, store) == [1, 3])
      #expect(try ids(Tenant.where { $0.marks.max > 5 }, store) == [5])
      #expect(try ids(Tenant.where { $0.marks.min.isNil }, store) == [1, 3])
      #expect(try ids(Tenant.where { $0.marks.average == 4 }, store) == [2])
      #expect(try ids(Tenant.where { $0.words.min == "" }, store) == [5])
    }
  }

  @Test func conditionsGoThroughCollectionsOfReferences() throws {
    try withTenants { store throws in
      #expect(try ids(Tenant.where { $0.friends.any { $0.name == "Bob" } }, store) == [3])
      #expect(try ids(Tenant.where { $0.friends.contains(Ref(1)) }, store) == [2, 3])
      #expect(
        try ids(Tenant.where { $0.friends.any { $0.house.street.name == "Main" } }, store)
          == [2, 3])
      #expect(
        try ids(Tenant.where { !$0.friends.isEmpty && $0.friends.all { $0.born > 1980 } }, store)
          == [2])
    }
  }

  @Test func objectsThatReferToOneMeetConditions() throws {
    try withTenants { store throws in
      func houses(_ query: Query<House>) throws -> [Int] { try store.fetch(query).map(\.id) }
      #expect(
        try houses(House.where { $0.referrers(by: \Tenant.house).any { $0.name == "Eve" } })
          == [10])
      #expect(try houses(House.where { $0.referrers(by: \Tenant.house).count == 1 }) == [11, 12])
      #expect(
        try houses(House.where { $0.referrers(by: \Tenant.house).sum(\.born) > 2000 }) == [10])
      #expect(
        try houses(House.where { $0.referrers(by: \Tenant.house).min(\.moved).isNil }) == [12])
      #expect(
        try houses(House.where { $0.referrers(by: \Tenant.house).max(\.born) < 1981 })
          == [11, 12])
      #expect(
        try houses(House.where { $0.referrers(by: \Tenant.house).average(\.born) == 1987.5 })
          == [10])
      #expect(
        try ids(Tenant.where { $0.referrers(by: \Tenant.friends).count == 2 }, store) == [1])
      #expect(
        try ids(Tenant.where { $0.referrers(by: \Tenant.friends).isEmpty }, store) == [3, 4, 5])
      #expect(
        try ids(
          Tenant.where { $0.referrers(by: \Tenant.friends).all { $0.born < 1975 } }, store)
          == [2, 3, 4, 5].filter { $0 != 2 })
    }
  }

  @Test func aTransactionSeesTheReferencesThatItHasWritten() throws {
    try withTenants { store throws in
      try store.write { tx in
        try tx.insert(Tenant(id: 6, name: "Fay", house: Ref(12), born: 1950))
        let full = House.where { $0.referrers(by: \Tenant.house).count == 2 }
        #expect(try tx.fetch(full).map(\.id) == [10, 12])
        #expect(try tx.count(Tenant.where { $0.house.number == 7 }) == 2)
        try tx.update(House.self, 12) { $0.number = 8 }
        #expect(try tx.count(Tenant.where { $0.house.number == 7 }) == 0)
      }
    }
  }
}
