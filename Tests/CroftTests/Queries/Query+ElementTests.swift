import Foundation
import Testing

@testable import Croft

/// A condition on elements tests the element that it is given, and the object that it refers to.
///
/// Once a column of the object around was read as the element, and two columns after the element as
/// the element compared with itself: such queries compiled and found nothing. `CompileTests` shows
/// the conditions that no longer compile.
@Suite(.keepsFailedStores) struct QueryElementTests {
  private static let tenants: [Tenant] = [
    Tenant(id: 1, name: "Ann", house: Ref(10), born: 1990, moved: 1990, words: ["red", "réd"]),
    Tenant(
      id: 2, name: "Bob", house: Ref(11), born: 1970, moved: 2001, friends: [Ref(1)], marks: [3, 5]),
    Tenant(id: 3, name: "Cid", house: Ref(12), born: 1980, friends: [Ref(1), Ref(2), Ref(1)]),
    Tenant(id: 4, name: "Dee", born: 2000, words: ["blue", "red", "blue"], marks: [5]),
    Tenant(
      id: 5, name: "Eve", house: Ref(10), born: 1985, moved: 1999, friends: [Ref(4)], words: [""],
      marks: [-2, 9]),
  ]

  /// Queries, each with the tenants that it finds.
  private static let cases: [(query: Query<Tenant>, ids: [Int])] = [
    (Tenant.where { $0.friends.any { $0.moved > $0.born } }, [3]),
    (Tenant.where { $0.friends.any { $0.born < $0.moved } }, [3]),
    (Tenant.where { $0.friends.any { $0.moved >= $0.born } }, [2, 3]),
    (Tenant.where { $0.friends.any { $0.moved == $0.born } }, [2, 3]),
    (Tenant.where { $0.friends.any { $0.moved != $0.born } }, [3, 5]),
    (Tenant.where { $0.friends.all { $0.moved == $0.born } }, [1, 2, 4]),
    (Tenant.where { $0.friends.none { $0.moved > $0.born } }, [1, 2, 4, 5]),
    (Tenant.where { !$0.friends.any { !($0.moved == $0.born) } }, [1, 2, 4]),
    (Tenant.where { $0.friends.any { $0.born > 1980 && $0.moved == $0.born } }, [2, 3]),
    (Tenant.where { $0.friends.any { $0.born > 1980 || $0.moved > $0.born } }, [2, 3, 5]),
    // Nil equals nil, also where one of them follows another nil.
    (Tenant.where { $0.friends.any { $0.house.number == $0.moved } }, [5]),
    (Tenant.where { $0.friends.any { $0.id < $0.house.number } }, []),
    (Tenant.where { $0.friends.any { $0.house.number <= $0.id } }, [2, 3]),
    // The element itself, and the object that it refers to.
    (Tenant.where { $0.friends.any { $0 == Ref(2) && $0.moved > $0.born } }, [3]),
    (Tenant.where { $0.friends.any { $0 == Ref(1) && $0.moved > $0.born } }, []),
    (Tenant.where { $0.friends.any { $0.house == Ref(10) } }, [2, 3]),
    (Tenant.where { $0.friends.any { $0.house.isNil } }, [5]),
    // Counts and sums of columns of the element.
    (Tenant.where { $0.friends.any { $0.words.count == $0.marks.count } }, []),
    (Tenant.where { $0.friends.any { $0.words.count > $0.marks.count } }, [2, 3, 5]),
    (Tenant.where { $0.friends.any { $0.marks.max > $0.friends.count } }, [3, 5]),
    // Elements of an element's object.
    (Tenant.where { $0.friends.any { $0.friends.any { $0.moved == $0.born } } }, [3]),
    (Tenant.where { $0.friends.any { $0.friends.any { $0.moved > $0.born } } }, []),
    (Tenant.where { $0.friends.any { $0.marks.any { $0 == 5 } } }, [3, 5]),
    (Tenant.where { $0.friends.any { $0.marks.all { $0 == 5 } } }, [2, 3, 5]),
    (Tenant.where { $0.friends.any { $0.words.none { $0 == "red" } } }, [3]),
    // Objects that refer to the object, and to those that refer to it.
    (Tenant.where { $0.referrers(by: \Tenant.friends).any { $0.moved > $0.born } }, [1, 4]),
    (Tenant.where { $0.referrers(by: \Tenant.friends).any { $0.moved == $0.born } }, []),
    (Tenant.where { $0.referrers(by: \Tenant.friends).all { $0.moved > $0.born } }, [3, 4, 5]),
    (
      Tenant.where {
        $0.referrers(by: \Tenant.friends).any { $0.referrers(by: \Tenant.friends).count == 1 }
      }, [1]
    ),
    (
      Tenant.where {
        $0.referrers(by: \Tenant.friends).any {
          $0.referrers(by: \Tenant.friends).any { $0.born == 1980 }
        }
      }, [1]
    ),
    (
      Tenant.where {
        $0.referrers(by: \Tenant.friends).any { $0.friends.any { $0.moved > $0.born } }
      }, [1, 2]
    ),
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

  @Test(arguments: cases.indices)
  func whatAnElementConditionNamesIsTheElement(place: Int) throws {
    let (query, ids) = Self.cases[place]
    let others = Self.tenants.map(\.id).filter { !ids.contains($0) }
    let opposite = Query<Tenant>(.negation(of: query.core.condition))
    try withTenants { store throws in
      #expect(try store.fetch(query).map(\.id) == ids)
      #expect(try store.count(query) == ids.count)
      #expect(try store.fetch(opposite).map(\.id) == others)
      #expect(try store.fetch(query.where { $0.id > 1 }).map(\.id) == ids.filter { $0 > 1 })
      try store.write { tx throws in
        #expect(try tx.fetch(query).map(\.id) == ids)
      }
    }
  }

  /// Live queries have the same results after commits to each model that the condition reads.
  @Test(arguments: cases.indices)
  func aLiveQueryFollowsElementConditions(place: Int) throws {
    let (query, ids) = Self.cases[place]
    try withTenants { store throws in
      let (viewer, token) = store.show(query)
      store.live.drain()
      #expect(viewer.list.map(\.id) == ids)
      let changes: [@Sendable (inout WriteTransaction) throws -> Void] = [
        { _ = try $0.update(Tenant.self, 1) { $0.moved = 2005 } },
        { _ = try $0.update(Tenant.self, 2) { $0.moved = nil } },
        { _ = try $0.update(House.self, 10) { $0.number = 5 } },
        { _ = try $0.update(Tenant.self, 4) { $0.friends = [Ref(5), Ref(2)] } },
        { try $0.insert(Tenant(id: 6, name: "Fay", born: 1, moved: 2, friends: [Ref(3)])) },
        { _ = try $0.update(Tenant.self, 4) { ($0.words, $0.marks) = ([], [7]) } },
        { _ = try $0.delete(Tenant.self, 6) },
      ]
      for change in changes {
        try store.write(change)
        store.live.drain()
        let fetched = try store.fetch(query)
        #expect(viewer.list == fetched)
      }
      #expect(token.error == nil)
    }
  }

  @Test func collectionsInsideStructsHaveElementConditionsToo() throws {
    try withStore(of: Rack.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: [
          Rack(id: 1, box: Crate(tags: ["a", "b"], next: [Ref(2)]), least: 3),
          Rack(id: 2, box: Crate(tags: [], next: [Ref(1), Ref(2)]), least: 9),
          Rack(id: 3, box: Crate(tags: ["b"], next: []), least: 9),
        ])
      }
      func ids(_ query: Query<Rack>) throws -> [Int] { try store.fetch(query).map(\.id) }
      #expect(try ids(Rack.where { $0.box.tags.any { $0 > "a" } }) == [1, 3])
      #expect(try ids(Rack.where { $0.box.tags.all { $0 == "b" } }) == [2, 3])
      #expect(try ids(Rack.where { $0.box.next.any { $0.least == $0.id } }) == [])
      #expect(try ids(Rack.where { $0.box.next.any { $0.least > $0.id } }) == [1, 2])
      #expect(try ids(Rack.where { $0.box.next.any { $0.box.tags.any { $0 == "a" } } }) == [2])
      #expect(
        try ids(Rack.where { $0.box.next.any { $0.box.tags.count < $0.box.next.count } })
          == [1, 2])
    }
  }

  @Test func anElementConditionIsExplainedByItsPaths() throws {
    try withTenants { store throws in
      let text = try store.explain(Tenant.where { $0.friends.any { $0.moved > $0.born } }).residual
      #expect(text == "friends.any(*.moved > *.born)")
    }
  }
}

@Embedded struct Crate: Hashable {
  var tags: [String]
  var next: [Ref<Rack>]
}

@Model struct Rack: Hashable {
  @PrimaryKey var id: Int
  var box: Crate
  var least: Int
}
