import Croft
import Foundation
import Testing

enum AsText {
  @Model struct Gauge: Hashable {
    @PrimaryKey var id: Int
    var ratio: String
  }
}

enum AsJSON {
  @Model struct Gauge: Hashable {
    @PrimaryKey var id: Int
    @Coded var ratio = 0.0
  }
}

@Suite(.keepsFailedStores) struct MigrationCodedTests {
  @Test func aValueThatCannotBeEncodedIsRefusedAndLeavesTheStoreAsItWas() throws {
    try withTemporaryStore(of: AsText.Gauge.self) { temporary in
      let gauges = [AsText.Gauge(id: 1, ratio: "1"), AsText.Gauge(id: 2, ratio: "nan")]
      try temporary.open().write { try $0.insert(contentsOf: gauges) }
      let migration = Migration.convert(\AsJSON.Gauge.ratio) { old, new in
        new?.ratio = Double(try old["ratio", as: String.self]) ?? 0
      }
      let error = #expect(throws: StoreError.self) {
        try Store.open(
          at: temporary.url, models: AsJSON.Gauge.self, options: .forTests,
          migrations: [migration])
      }
      guard case .cannotEncode("Gauge", "ratio", _) = error else {
        Issue.record("It gave \(String(describing: error)).")
        return
      }
      #expect(try temporary.open().fetch(AsText.Gauge.all) == gauges)
    }
  }
}
