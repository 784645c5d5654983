import Presentation
import Testing

@Suite("MessageCatalog")
struct MessageCatalogTests {
  private func catalog(_ language: Language) -> MessageCatalog {
    var catalog = MessageCatalog(language: language)
    catalog.add([.korean: "입력해주세요!", .english: "Please enter something."], for: .blank)
    catalog.add(
      [.korean: "이름을 입력해주세요!", .english: "Please enter a name."], for: .blank, at: "name")
    catalog.add([.english: "At most {limit}, not {count}."], for: .tooLong)
    return catalog
  }

  @Test func theTextForTheFieldPrecedesTheTextForTheCode() {
    let atName = ValidationIssue(.blank, at: "name")
    let elsewhere = ValidationIssue(.blank, at: "street")
    #expect(catalog(.korean).message(for: atName) == "이름을 입력해주세요!")
    #expect(catalog(.korean).message(for: elsewhere) == "입력해주세요!")
    #expect(catalog(.english).message(for: atName) == "Please enter a name.")
    #expect(catalog(.english).message(for: elsewhere) == "Please enter something.")
  }

  @Test func theLanguageIsChosenWhenTheMessageIsShown() {
    var catalog = catalog(.english)
    let issue = ValidationIssue(.blank)
    #expect(catalog.message(for: issue) == "Please enter something.")
    catalog.language = .korean
    #expect(catalog.message(for: issue) == "입력해주세요!")
  }

  @Test func englishStandsInForALanguageWithoutText() {
    let issue = ValidationIssue(.tooLong, params: ["limit": .integer(3), "count": .text("four")])
    #expect(catalog(.korean).message(for: issue) == "At most 3, not four.")
    #expect(
      catalog(Language(rawValue: "fr")).message(for: ValidationIssue(.blank))
        == "Please enter something.")
  }

  @Test func aMissingParameterStaysVisible() {
    let issue = ValidationIssue(.tooLong, params: ["limit": .integer(3)])
    #expect(catalog(.english).message(for: issue) == "At most 3, not {count}.")
  }

  @Test func aParameterIsNotReadAsATemplate() {
    let issue = ValidationIssue(
      .tooLong, params: ["limit": .text("{count}"), "count": .integer(4)])
    #expect(catalog(.english).message(for: issue) == "At most {count}, not 4.")
  }

  @Test func loneBracesAreText() {
    var catalog = MessageCatalog(language: .english)
    catalog.add([.english: "} a { b"], for: "braces")
    #expect(catalog.message("braces") == "} a { b")
  }

  @Test func aCodeWithoutTextIsShownBare() {
    let issue = ValidationIssue(
      "shop.soldOut", at: ["items", 2], params: ["left": .integer(0), "by": .text("today")])
    #expect(catalog(.korean).message(for: issue) == "items[2]: shop.soldOut (by: today, left: 0)")
    #expect(catalog(.korean).message("shop.closed") == "shop.closed")
  }

  @Test func positionsDoNotMatterForTheText() {
    var catalog = MessageCatalog(language: .english)
    catalog.add([.english: "Each item needs a name."], for: .blank, at: ["items", "name"])
    let issue = ValidationIssue(.blank, at: ["items", 7, "name"])
    #expect(catalog.message(for: issue) == "Each item needs a name.")
  }

  @Test func aLaterTextReplacesAnEarlierOne() {
    var catalog = catalog(.english)
    catalog.add([.english: "Name it."], for: .blank, at: "name")
    #expect(catalog.message(.blank, at: "name") == "Name it.")
  }
}

@Suite("Language")
struct LanguageTests {
  @Test(arguments: [
    ("ko_KR.UTF-8", "ko"), ("ko", "ko"), ("KO_KR", "ko"), ("en_GB.UTF-8", "en"), ("en-US", "en"),
    ("fil_PH", "fil"),
  ])
  func localeNamesTellTheirLanguage(identifier: String, code: String) {
    #expect(Language(localeIdentifier: identifier)?.rawValue == code)
  }

  @Test(arguments: ["", "C", "C.UTF-8", "POSIX", "_KR"])
  func someLocaleNamesSpeakOfNoLanguage(identifier: String) {
    #expect(Language(localeIdentifier: identifier) == nil)
  }

  @Test func theCaseOfACodeDoesNotMatter() {
    #expect(Language(rawValue: "KO") == .korean)
  }
}
