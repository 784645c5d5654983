import Croft
import Foundation
import Testing

/// The code of the article about models and properties.
@Suite struct ModelsSnippets {
  @Embedded struct Address {
    var street: String
    var city = ""
  }

  @Model struct Person {
    @PrimaryKey var id: Int
    var home: Address
    var work: Address?
  }

  @Test func structsAreColumnsThatConditionsReach() throws {
    let store = try Store.inMemory(models: Person.self)
    try store.write { tx in
      try tx.insert(Person(id: 1, home: Address(street: "a", city: "Rome")))
      try tx.insert(
        Person(id: 2, home: Address(street: "b"), work: Address(street: "c", city: "Rome")))
    }
    #expect(try store.fetch(Person.where { $0.home.city == "Rome" }).map(\.id) == [1])
    #expect(try store.fetch(Person.where { $0.work.city == "Rome" }).map(\.id) == [2])
    #expect(try store.fetch(Person.where { $0.work.street.isNil }).map(\.id) == [1])
    #expect(try store.get(Person.self, 2)?.work?.street == "c")
  }
}
