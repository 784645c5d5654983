import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct ColorDepthTests {
  @Test(
    arguments: [
      ([:], .sixteen), (["TERM": "xterm"], .sixteen), (["TERM": "xterm-256color"], .palette),
      (["TERM": "xterm", "COLORTERM": "truecolor"], .full), (["COLORTERM": "24bit"], .full),
      (["TERM": "xterm-direct"], .full), (["TERM": "xterm", "COLORTERM": "yes"], .sixteen),
    ] as [([String: String], ColorDepth)])
  func variablesSayHowManyColoursThereAre(variables: [String: String], depth: ColorDepth) {
    #expect(ColorDepth(environment: variables) == depth)
  }

  @Test(
    arguments: [
      ("#ff8800", "48;2;255;136;0", "48;5;208", "43"), ("#000", "48;2;0;0;0", "48;5;16", "40"),
      ("#fff", "48;2;255;255;255", "48;5;231", "107"),
      ("#ff0000", "48;2;255;0;0", "48;5;196", "101"),
      ("#808080", "48;2;128;128;128", "48;5;244", "100"),
      ("#0000ee", "48;2;0;0;238", "48;5;21", "44"),
    ])
  func theNearestColourIsTaken(
    color: String, full: String, palette: String, sixteen: String
  ) throws {
    let color = try #require(RGBA(color))
    #expect(ColorDepth.full.backgroundCode(of: color) == full)
    #expect(ColorDepth.palette.backgroundCode(of: color) == palette)
    #expect(ColorDepth.sixteen.backgroundCode(of: color) == sixteen)
  }

  @Test func aSwatchIsThereOnlyWhereColourIsOn() throws {
    let color = try #require(RGBA("#ff8800"))
    let styler = ANSIStyler(isOn: true, depth: .full)
    #expect(styler.swatch(color) == "\u{1B}[48;2;255;136;0m  \u{1B}[0m ")
    #expect(styler.swatch(nil) == "   ")
    #expect(ANSIStyler(isOn: false).swatch(color) == "")
  }
}
