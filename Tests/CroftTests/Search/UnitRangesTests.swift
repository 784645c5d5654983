import Foundation
import TestSupport
import Testing

@testable import Croft

/// The table of classes is that which the rules derive from Unicode, and does not change.
@Suite struct UnitRangesTests {
  /// `CROFT_REWRITE_GOLDEN=1` writes the table, which gives the rules another number.
  @Test func theTableIsDerivedFromUnicode() throws {
    if ProcessInfo.processInfo.environment["CROFT_REWRITE_GOLDEN"] != nil {
      let root = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardized
      let file = root.appending(path: "Sources/Croft/Search/UnitRanges.swift")
      try DerivedClasses.source.write(to: file, atomically: true, encoding: .utf8)
    }
    var known = 0
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), let wanted = DerivedClasses.unitClass(of: scalar)
      else { continue }
      known += 1
      if UnitClass.of(value) != wanted {
        Issue.record("U+\(String(value, radix: 16)) is \(UnitClass.of(value)), not \(wanted)")
      }
    }
    #expect(known > 150_000)
  }

  @Test func theRulesOfANumberAreFrozen() {
    let lists = [UnitRanges.words, UnitRanges.characters, UnitRanges.spaces]
    #expect(UnitRanges.rules == 1)
    let scalars = lists.map { UnitRanges.scalars($0).reduce(0) { $0 + $1.count } }
    #expect(scalars == [33_051, 118_509, 26])
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in lists.joined(separator: "|").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    #expect(hash == 0xD982_E081_887C_7901)
  }

  @Test func aScalarThatUnicodeDoesNotHaveSeparates() {
    for value: UInt32 in [0x378, 0xE000, 0x3_FFFF, 0x10_FFFF, 0x11_0000, .max] {
      #expect(UnitClass.of(value) == .separator)
    }
  }
}
