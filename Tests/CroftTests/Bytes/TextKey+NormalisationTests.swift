import Testing

@testable import Croft

@Suite struct TextKeyNormalisationTests {
  /// Rows of Unicode's NormalizationTest, from each of its parts: source; NFC; NFD.
  ///
  /// https://www.unicode.org/Public/UCD/latest/ucd/NormalizationTest.txt
  private static let table = """
    @Part0
    1E0A;1E0A;0044 0307
    1E0C;1E0C;0044 0323
    1E0A 0323;1E0C 0307;0044 0323 0307
    1E0C 0307;1E0C 0307;0044 0323 0307
    0044 0307 0323;1E0C 0307;0044 0323 0307
    0044 0323 0307;1E0C 0307;0044 0323 0307
    1E0A 031B 0323;1E0C 031B 0307;0044 031B 0323 0307
    0044 031B 0307 0323;1E0C 031B 0307;0044 031B 0323 0307
    00C8;00C8;0045 0300
    0045 0300;00C8;0045 0300
    1E14;1E14;0045 0304 0300
    0112 0300;1E14;0045 0304 0300
    1E14 0304;1E14 0304;0045 0304 0300 0304
    0045 0304 0300;1E14;0045 0304 0300
    0045 0300 0304;00C8 0304;0045 0300 0304
    05B8 05B9 05B1 0591 05C3 05B0 05AC 059F;05B1 05B8 05B9 0591 05C3 05B0 05AC 059F;05B1 05B8 05B9 0591 05C3 05B0 05AC 059F
    0592 05B7 05BC 05A5 05B0 05C0 05C4 05AD;05B0 05B7 05BC 05A5 0592 05C0 05AD 05C4;05B0 05B7 05BC 05A5 0592 05C0 05AD 05C4
    1100 AC00 11A8;1100 AC01;1100 1100 1161 11A8
    1100 AC00 11A8 11A8;1100 AC01 11A8;1100 1100 1161 11A8 11A8
    @Part1
    00A0;00A0;00A0
    00A8;00A8;00A8
    00C5;00C5;0041 030A
    00E9;00E9;0065 0301
    0134;0134;004A 0302
    01D5;01D5;0055 0308 0304
    0340;0300;0300
    0343;0313;0313
    0344;0308 0301;0308 0301
    0374;02B9;02B9
    037E;003B;003B
    0387;00B7;00B7
    0390;0390;03B9 0308 0301
    0622;0622;0627 0653
    0929;0929;0928 093C
    0958;0915 093C;0915 093C
    09DC;09A1 09BC;09A1 09BC
    0B94;0B94;0B92 0BD7
    0F43;0F42 0FB7;0F42 0FB7
    0F73;0F71 0F72;0F71 0F72
    0F81;0F71 0F80;0F71 0F80
    1026;1026;1025 102E
    1E9B;1E9B;017F 0307
    1F82;1F82;03B1 0313 0300 0345
    2126;03A9;03A9
    212A;004B;004B
    212B;00C5;0041 030A
    2ADC;2ADD 0338;2ADD 0338
    3094;3094;3046 3099
    AC00;AC00;1100 1161
    AC01;AC01;1100 1161 11A8
    D7A3;D7A3;1112 1175 11C2
    F900;8C48;8C48
    FB1D;05D9 05B4;05D9 05B4
    FB2C;05E9 05BC 05C1;05E9 05BC 05C1
    FB46;05E6 05BC;05E6 05BC
    1109A;1109A;11099 110BA
    1112E;1112E;11131 11127
    1D15E;1D157 1D165;1D157 1D165
    1D1BB;1D1B9 1D165;1D1B9 1D165
    2F800;4E3D;4E3D
    2FA1D;2A600;2A600
    @Part2
    0061 0315 0300 05AE 0300 0062;00E0 05AE 0300 0315 0062;0061 05AE 0300 0300 0315 0062
    0061 0300 0315 0300 05AE 0062;00E0 05AE 0300 0315 0062;0061 05AE 0300 0300 0315 0062
    0061 0315 0300 05AE 1E005 0062;00E0 05AE 1E005 0315 0062;0061 05AE 0300 1E005 0315 0062
    0061 1E005 0315 0300 05AE 0062;0061 05AE 1E005 0300 0315 0062;0061 05AE 1E005 0300 0315 0062
    0061 0315 0300 05AE 1E006 0062;00E0 05AE 1E006 0315 0062;0061 05AE 0300 1E006 0315 0062
    0061 1E006 0315 0300 05AE 0062;0061 05AE 1E006 0300 0315 0062;0061 05AE 1E006 0300 0315 0062
    0061 0315 0300 05AE 1E008 0062;00E0 05AE 1E008 0315 0062;0061 05AE 0300 1E008 0315 0062
    0061 1E01B 0315 0300 05AE 0062;0061 05AE 1E01B 0300 0315 0062;0061 05AE 1E01B 0300 0315 0062
    @Part3
    09C7 0334 09BE;09C7 0334 09BE;09C7 0334 09BE
    0B47 0334 0B3E;0B47 0334 0B3E;0B47 0334 0B3E
    1100 0334 1161;1100 0334 1161;1100 0334 1161
    AC00 0334 11A8;AC00 0334 11A8;1100 1161 0334 11A8
    D6FC 0334 11AE;D6FC 0334 11AE;1112 1170 0334 11AE
    D750 0334 11B5;D750 0334 11B5;1112 1173 0334 11B5
    11131 0334 11127;11131 0334 11127;11131 0334 11127
    11347 0334 1133E;11347 0334 1133E;11347 0334 1133E
    114B9 0334 114BA;114B9 0334 114BA;114B9 0334 114BA
    115B8 0334 115AF;115B8 0334 115AF;115B8 0334 115AF
    """

  private static let rows: [[String]] = table.split(separator: "\n")
    .filter { !$0.hasPrefix("@") }
    .map { row in row.split(separator: ";").map { text(String($0)) } }

  private static func text(_ codes: String) -> String {
    var text = ""
    for code in codes.split(separator: " ") {
      if let scalar = UInt32(code, radix: 16).flatMap(Unicode.Scalar.init) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  @Test(arguments: rows)
  func theComposedFormIsUnicodes(row: [String]) throws {
    try #require(row.count == 3)
    for spelling in row {
      let normal = TextKey.canonicalComposition(of: spelling)
      #expect(scalars(normal) == scalars(row[1]))
    }
  }

  @Test(arguments: rows)
  func allSpellingsOfARowAreOneKey(row: [String]) {
    let codes = row.map { spelling in
      var code = _ByteBuffer()
      spelling.appendKey(to: &code)
      return Array(code.bytes)
    }
    #expect(Set(codes).count == 1)
  }

  @Test func asciiIsToldFromTheRestWhereverItEnds() {
    for count in 0..<40 {
      let ascii = [UInt8](repeating: 0x7F, count: count)
      #expect(ascii.withUnsafeBytes { $0.isASCII })
      for place in 0..<count {
        var bytes = ascii
        bytes[place] = 0x80
        #expect(!bytes.withUnsafeBytes { $0.isASCII })
      }
    }
  }
}
