import Foundation
import Testing

@testable import Croft

// Indexes on expressions whose type follows from their properties'.

enum WidthFloat {
  @Model struct Num: Hashable {
    @PrimaryKey var id: Int
    var a: Float?
    var b: Float?
    var c: Float?
    #Index<Num> { [($0.a ?? $0.b).ascending] }
    #Index<Num> { [($0.c ?? 0.5).ascending] }
  }
}
enum WidthDouble {
  @Model struct Num: Hashable {
    @PrimaryKey var id: Int
    var a: Double?
    var b: Double?
    var c: Double?
    #Index<Num> { [($0.a ?? $0.b).ascending] }
    #Index<Num> { [($0.c ?? 0.5).ascending] }
  }
}
enum SumOptional {
  @Model struct Num: Hashable {
    @PrimaryKey var id: Int
    var a: Int? = 1
    var b: Int8? = 2
    #Index<Num> { [($0.a + 1).ascending] }
    #Index<Num> { [($0.b ?? 3).descending] }
  }
}
enum SumRequired {
  @Model struct Num: Hashable {
    @PrimaryKey var id: Int
    var a: Int = 1
    var b: Int16? = 2
    #Index<Num> { [($0.a + 1).ascending] }
    #Index<Num> { [($0.b ?? 3).descending] }
  }
}

@Suite(.keepsFailedStores) struct ExpressionIndexTypeTests {
  /// The index kept the codes of the former type: queries found other rows than those that match.
  @Test func anIndexHasTheTypeThatItsPropertiesHaveNow() throws {
    try withTemporaryStore(of: WidthDouble.Num.self) { temporary in
      let old = try Store.open(
        at: temporary.url, models: WidthFloat.Num.self, options: .forTests)
      try old.write { try $0.insert(WidthFloat.Num(id: 0, a: 1, b: 2)) }
      let store = try temporary.open()
      try store.write { tx in
        for id in 1...400 {
          let value = 1 + Double(id % 20) * 1e-10
          try tx.insert(
            WidthDouble.Num(
              id: id, a: id % 3 == 0 ? nil : value, b: id % 2 == 0 ? nil : value,
              c: id % 5 == 0 ? nil : value))
        }
        try tx.insert(WidthDouble.Num(id: 1000, a: 1e300, c: -1e300))
      }
      let all = try store.fetch(WidthDouble.Num.all)
      for bound in [1.0, 1 + 5e-10, 1 + 19e-10, 2, 1e300] {
        let higher = WidthDouble.Num.where { ($0.a ?? $0.b) > bound }
        #expect(
          Set(try store.fetch(higher).map(\.id))
            == Set(all.filter { num in (num.a ?? num.b).map { $0 > bound } ?? false }.map(\.id)))
        let same = WidthDouble.Num.where { ($0.a ?? $0.b) == bound }
        #expect(try store.count(same) == all.count { ($0.a ?? $0.b) == bound })
        let other = WidthDouble.Num.where { ($0.c ?? 0.5) <= bound }
        #expect(try store.count(other) == all.count { ($0.c ?? 0.5) <= bound })
      }
      let inOrder = WidthDouble.Num.all.order { [($0.a ?? $0.b).ascending] }.limit(300)
      let values = try store.fetch(inOrder).map { $0.a ?? $0.b ?? 0 }
      #expect(values == values.sorted())
      #expect(try store.verify().problems == [])
    }
  }

  @Test func anOptionalThatBecomesRequiredIsFoundByItsSum() throws {
    try withTemporaryStore(of: SumRequired.Num.self) { temporary in
      let old = try Store.open(
        at: temporary.url, models: SumOptional.Num.self, options: .forTests)
      try old.write { tx in
        for id in 0..<50 {
          try tx.insert(SumOptional.Num(id: id, a: id % 4 == 0 ? nil : id, b: nil))
        }
      }
      let store = try temporary.open()
      try store.write { tx in
        for id in 50..<300 { try tx.insert(SumRequired.Num(id: id, a: id, b: Int16(id) * 100)) }
      }
      let all = try store.fetch(SumRequired.Num.all)
      for bound in [-1, 1, 2, 7, 100, 299, 20_000] {
        let sums = SumRequired.Num.where { $0.a + 1 > bound }
        #expect(try store.count(sums) == all.count { $0.a + 1 > bound })
        let same = SumRequired.Num.where { $0.a + 1 == bound }
        #expect(try store.fetch(same).map(\.id) == all.filter { $0.a + 1 == bound }.map(\.id))
        let small = Int16(bound)
        #expect(
          try store.count(SumRequired.Num.where { ($0.b ?? 3) < small })
            == all.count { ($0.b ?? 3) < small })
      }
      #expect(try store.verify().problems == [])
    }
  }
}
