import Foundation
import Testing

@testable import Croft

struct Theme: Codable, Hashable {
  var colour = "blue"
  var sizes: [String: Double] = [:]
}

/// Decodes only what it was before it changed.
enum Shape: Codable, Hashable {
  case circle(radius: Double)
  case square
}

@Model struct Preference: Hashable {
  @PrimaryKey var id: Int
  @Coded var theme = Theme()
  @Coded var schema: Shape?
  @Coded var list: [[Int]] = []
  @Coded var ratio = 0.0
  var name = ""
}

@Suite(.keepsFailedStores) struct CodedTests {
  @Test func anyCodableValueComesBackAsItWas() throws {
    try withTemporaryStore(of: Preference.self) { temporary in
      let preferences = [
        Preference(id: 0),
        Preference(
          id: 1, theme: Theme(colour: "/\u{0}\"할", sizes: ["b": 1, "a": .pi]),
          schema: .circle(radius: 2), list: [[], [1, 2]], ratio: -1.5, name: "n"),
        Preference(id: 2, schema: .square),
      ]
      try temporary.open().write { try $0.insert(contentsOf: preferences) }
      #expect(try temporary.open().fetch(Preference.all) == preferences)
    }
  }

  @Test func aValueThatCannotBeEncodedNamesItsPropertyAndTheTransactionStaysUsable() throws {
    try withTemporaryStore(of: Preference.self) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(Preference(id: 0))
        for statement in 0..<3 {
          let error = #expect(throws: StoreError.self) {
            switch statement {
            case 0: try tx.insert(Preference(id: 1, ratio: .nan))
            case 1: try tx.upsert(Preference(id: 0, ratio: .infinity))
            default: try tx.update(Preference.self, 0) { $0.ratio = .nan }
            }
          }
          guard case .cannotEncode("Preference", "ratio", _) = error else {
            Issue.record("\(statement) gave \(String(describing: error))")
            return
          }
        }
        try tx.insert(Preference(id: 2))
      }
      #expect(try store.fetch(Preference.all) == [Preference(id: 0), Preference(id: 2)])
    }
  }

  @Test func anEqualValueIsNoChange() throws {
    try withTemporaryStore(of: Preference.self) { temporary in
      let sizes = Dictionary(uniqueKeysWithValues: (0..<40).map { ("\($0)", Double($0)) })
      let preference = Preference(id: 0, theme: Theme(sizes: sizes))
      let again = Preference(
        id: 0, theme: Theme(sizes: sizes.filter { _ in true }.merging([:]) { $1 }))
      try temporary.open().write { tx in
        try tx.insert(preference)
        let result = try tx.upsert(again)
        #expect(result == .unchanged)
      }
    }
  }
}
