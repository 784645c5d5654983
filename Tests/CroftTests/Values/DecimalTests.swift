import Foundation
import Testing
import TestSupport

@testable import Croft

@Model struct Price: Hashable {
  @PrimaryKey var id: Int
  @Indexed var amount: Decimal
  var limit: Decimal?
  var source: URL?
}

@Suite(.keepsFailedStores) struct DecimalTests {
  private func code(_ value: Decimal) -> [UInt8] {
    var code = _ByteBuffer()
    value.appendKey(to: &code)
    return unsafe [UInt8](code.bytes)
  }

  @Test func codesAreThoseOfTheKeyFormatsArticle() throws {
    let number = try #require(Decimal(string: "12.5"))
    #expect(code(number) == [0xA0, 0x01, 0x0D, 0x33, 0x00])
    #expect(code(-number) == [0x5F, 0xFE, 0xF2, 0xCC, 0xFF])
    #expect(code(0) == [0x80, 0x00])
    #expect(code(.nan) == [0xFF, 0xFF])
    #expect(code(Decimal(sign: .plus, exponent: -4, significand: 125_000)) == code(number))
  }

  @Test func everyNumberComesBackAndStandsInItsOrder() throws {
    var random = SeededGenerator.forTest("decimals")
    try withTemporaryStore(of: Price.self) { temporary in
      var prices = (0..<400).map { Price(id: $0, amount: random.decimal()) }
      prices += [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude]
        .enumerated().map { Price(id: 1_000 + $0, amount: $1, limit: -$1) }
      try temporary.open().write { try $0.insert(contentsOf: prices) }
      let store = try temporary.open()
      #expect(try store.fetch(Price.all) == prices, "CROFT_SEED=\(random.seed)")
      let order = try store.fetch(Price.all.order(by: \.amount)).map(\.amount.stored)
      for (left, right) in zip(order, order.dropFirst()) {
        #expect(left.order(to: right) <= 0, "CROFT_SEED=\(random.seed)")
      }
      #expect(try store.verify().problems.isEmpty)
    }
  }

  @Test func aURLComesBackAndARelativeOneIsResolved() throws {
    try withTemporaryStore(of: Price.self) { temporary in
      let base = try #require(URL(string: "https://example.com/a/"))
      let urls = [base, URL(filePath: "/tmp/할 일"), URL(string: "b", relativeTo: base), nil]
      let prices = urls.enumerated().map { Price(id: $0, amount: 0, source: $1) }
      try temporary.open().write { try $0.insert(contentsOf: prices) }
      let read = try temporary.open().fetch(Price.all).map(\.source)
      #expect(read == [urls[0], urls[1], URL(string: "https://example.com/a/b"), nil])
    }
  }
}
