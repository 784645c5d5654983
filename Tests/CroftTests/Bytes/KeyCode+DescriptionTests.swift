import Foundation
import Testing

@testable import Croft

@Suite struct KeyCodeDescriptionTests {
  private func text<K: StorableKey>(_ key: K) -> String {
    var code = _ByteBuffer()
    key.appendKey(to: &code)
    return KeyCode.describe(code.bytes, kind: K.storage.kind)
  }

  @Test func keysReadAsTheirUsersWriteThem() {
    #expect(text(-5) == "-5")
    #expect(text(Int8.min) == "-128")
    #expect(text(UInt64.max) == "18446744073709551615")
    #expect(text("할일") == "\"할일\"")
    #expect(text("a\0b") == "\"a\0b\"")
    #expect(text("") == "\"\"")
    #expect(text(Genre.jazz) == "7")
    #expect(text(Shade.dark) == "\"진한 색\"")
    #expect(text(Date(timeIntervalSinceReferenceDate: -1.5)) == "2000-12-31T23:59:58.500Z")
    #expect(text(Date(timeIntervalSinceReferenceDate: 1e15)) == "1000000000000000.0 s since 2001")
    #expect(text(Data([1, 0xFE])) == "0x01fe0000")
    let uuid = UUID()
    #expect(text(uuid) == uuid.uuidString)
  }

  @Test(arguments: StorageType.Kind.allCases)
  func bytesThatAreNoCodeAreShownAsTheyAre(kind: StorageType.Kind) {
    for bytes in [[], [1], [0, 7], [0x61, 0], [UInt8](repeating: 3, count: 15)] as [[UInt8]] {
      let text = bytes.withUnsafeBytes { KeyCode.describe($0, kind: kind) }
      #expect(text == "0x" + bytes.map { String(format: "%02x", $0) }.joined())
    }
  }
}
