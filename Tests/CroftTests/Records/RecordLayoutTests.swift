import Foundation
import Testing

@testable import Croft

/// The bytes of rows, spelled out: a store written today must be read for ever.
@Suite struct RecordLayoutTests {
  private func hex(_ bytes: UnsafeRawBufferPointer) -> String {
    bytes.map { String(format: "%02X", $0) }.joined()
  }

  private func encode<M: Model>(_ object: M) -> (key: String, row: String) {
    let layout = RecordLayout(schema: M._schema.erased, id: 1)
    var encoder = _RecordEncoder()
    encoder.begin(layout)
    object._encode(into: &encoder)
    if encoder.isTooLongForNarrowEnds {
      encoder.begin(layout, isWide: true)
      object._encode(into: &encoder)
    }
    return (hex(encoder.key.bytes), hex(encoder.row.bytes))
  }

  @Test func aRowIsHeaderPresenceFixedPartEndsAndBytes() {
    let song = Song(id: 5, title: "ab", plays: 3, genre: .jazz, note: nil, rating: 1)
    let (key, row) = encode(song)
    #expect(key == "8000000000000005")
    #expect(
      row == "52020100"  // tag, flags, layout 1
        + "02"  // nothing in note, something in rating
        + "0300000000000000" + "0700000000000000" + "000000000000F03F"
        + "0200" + "0200"  // title ends after two bytes, and note too
        + "6162")
  }

  @Test func aTextAsKeyIsInTheRowToo() {
    let (key, row) = encode(Album(name: "e\u{301}", year: 1959))
    #expect(key == "C3A90000")
    #expect(row == "52020100" + "01" + "A707000000000000" + "0300" + "65CC81")
  }

  @Test func aLongRowHasWideEnds() {
    let (_, row) = encode(Album(name: String(repeating: "x", count: 0x1_0001), year: nil))
    #expect(row.hasPrefix("52030100" + "00" + "0000000000000000" + "01000100" + "7878"))
    #expect(row.count == 2 * (4 + 1 + 8 + 4 + 0x1_0001))
  }

  @Test func presenceBitsFollowTheDeclaration() {
    let object = Anything(id: 0, bool: true, uint16: 0, last: "z")
    // Twenty optionals: the first, the ninth and the last are there.
    #expect(encode(object).row.dropFirst(8).hasPrefix("010108"))
  }
}
