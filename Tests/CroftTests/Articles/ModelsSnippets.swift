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

  @Model struct Invoice {
    @PrimaryKey var id: Int
    var cents: Int

    var price: Decimal { Decimal(cents) / 100 }
  }

  @Model struct Bill {
    @PrimaryKey var id: Int
    var price: Decimal
  }

  @Test func moneyIsAddedUpInCents() throws {
    let store = try Store.inMemory(models: Invoice.self, Bill.self)
    try store.write { tx in
      for id in 1...3 {
        try tx.insert(Invoice(id: id, cents: id * 1_999))
        try tx.insert(Bill(id: id, price: Decimal(id * 1_999) / 100))
      }
    }
    let total = Decimal(try store.fetch(Invoice.all.sum(\.cents))) / 100
    #expect(total == Decimal(string: "119.94"))
    #expect(try store.fetch(Invoice.all).map(\.price) == store.fetch(Bill.all).map(\.price))
    #expect(try store.fetch(Bill.all.max(\.price)) == Decimal(string: "59.97"))
    let sum = try store.read { tx in
      var sum: Decimal = 0
      try tx.forEach(Bill.all) { sum += $0.price }
      return sum
    }
    #expect(sum == total)
  }
}
