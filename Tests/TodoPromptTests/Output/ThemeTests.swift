import Testing
import TodoKit

@testable import LineEditing
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
    screen.code = Theme.light.code(of:)
    var layout = EditorLayout(columns: 20)
    layout.add("x", styles: [.yellow])
    #expect(screen.draw(layout).contains("\u{1B}[35mx"))
  }

  @Test func verbsAndSignsHaveColours() {
    var screen = EditorScreen()
    let view = LineView(
      prompt: "> ", columns: 40, rows: 4, usesColor: true, styles: LineStyles.styles(of:))
    let text = screen.draw(view.layout(of: LineEditor("add 우유 @집 !h")))
    #expect(text.contains("> \u{1B}[1madd\u{1B}[0m 우유 \u{1B}[32m@집\u{1B}[0m \u{1B}[31m!h\u{1B}[0m"))
  }
}
