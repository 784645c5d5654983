import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct ThemeTests {
  private func code(_ theme: Theme, _ style: ANSIStyle) -> String {
    ANSIStyler(isOn: true, theme: theme).styled("x", style)
  }

  @Test func theDefaultHasTheCodesOfTheStyles() {
    for style in [ANSIStyle.bold, .dim, .strikethrough, .red, .green, .yellow] {
      #expect(code(.default, style) == "\u{1B}[\(style.rawValue)mx\u{1B}[0m")
    }
  }

  @Test func yellowIsReadableOnALightBackgroundAndNoneHasNoColours() {
    #expect(code(.dark, .red) == "\u{1B}[91mx\u{1B}[0m")
    #expect(code(.light, .yellow) == "\u{1B}[35mx\u{1B}[0m")
    #expect(code(.contrast, .dim) == "x")
    #expect(code(.none, .red) == "x")
    #expect(code(.none, .bold) == "\u{1B}[1mx\u{1B}[0m")
    #expect(ANSIStyler(isOn: true, theme: .none).swatch(.gray) == "")
  }

  @Test func theLineThatIsTypedHasTheColoursToo() {
    var screen = EditorScreen()
    screen.theme = .light
    var layout = EditorLayout(columns: 20)
    layout.add("x", styles: [.yellow])
    #expect(screen.draw(layout).contains("\u{1B}[35mx"))
  }
}
