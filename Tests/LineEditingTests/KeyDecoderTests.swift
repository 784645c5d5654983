import Testing
import TestSupport

@testable import LineEditing

@Suite struct KeyDecoderTests {
  private static let cases: [(String, [Key])] = [
    ("a가👩", [.text("a"), .text("가"), .text("👩")]),
    (
      "\u{1}\u{3}\u{1F}\r\n\t\u{7F}\u{8}",
      [
        .control("A"), .control("C"), .control("_"), .enter, .enter, .tab, .backspace, .backspace,
      ]
    ),
    (
      "\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[1;3D\u{1B}[H\u{1B}[4~\u{1B}[3~",
      [
        .up, .down, .wordRight, .wordLeft, .home, .end, .delete,
      ]
    ),
    ("\u{1B}b\u{1B}\u{7F}\u{1B}가x", [.meta("b"), .meta("\u{7F}"), .text("가"), .text("x")]),
    ("\u{1B}[200~add 우유\r\nls\t\u{1B}[A\u{1B}[201~\r", [.paste("add 우유\nls [A"), .enter]),
    ("\u{1B}[99~\u{1B}[1\u{1B}[Cx", [.unknown, .unknown, .right, .text("x")]),
  ]

  @Test func decodesKeysHoweverTheyAreCut() {
    for (text, keys) in Self.cases {
      let bytes = Array(text.utf8)
      for size in 1...bytes.count {
        var decoder = KeyDecoder()
        var found: [Key] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
          found += decoder.keys(from: bytes[start..<min(start + size, bytes.count)])
        }
        #expect(found == keys, "\(text.debugDescription) by \(size)")
      }
    }
  }

  @Test func bytesThatAreNotUTF8AreNoText() {
    var decoder = KeyDecoder()
    #expect(
      decoder.keys(from: [0xFF, 0x61, 0xEA, 0xB0, 0x62, 0xC0, 0x63]) == [
        .unknown, .text("a"), .unknown, .text("b"), .unknown, .text("c"),
      ])
  }

  @Test func noBytesStopIt() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      var decoder = KeyDecoder()
      let bytes = (0..<20).map { _ in UInt8.random(in: 0...255, using: &generator) }
      _ = decoder.keys(from: bytes)
      let rest = decoder.keys(from: Array("\u{1B}[201~\u{1B}[Axyz".utf8))
      #expect(rest.last == .text("z"))
    }
  }
}
