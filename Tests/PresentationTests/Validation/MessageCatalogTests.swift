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

@Suite("MessageCatalog, with standard texts")
struct MessageCatalogStandardTests {
  private let codes: [ValidationIssue.Code] = [
    .required, .blank, .tooShort, .tooLong, .outOfRange, .notUnique, .mismatch, .invalidFormat,
    .unchecked, .unexpected,
  ]

  @Test func everyCodeOfThisModuleHasATextInKoreanAndInEnglish() {
    let korean = MessageCatalog.standard(in: .korean)
    let english = MessageCatalog.standard(in: .english)
    for code in codes {
      #expect(korean.message(code).contains { $0 >= "가" && $0 <= "힣" }, "\(code)")
      #expect(english.message(code).allSatisfy(\.isASCII) && english.message(code) != code.rawValue)
    }
  }

  @Test func oneIssueIsSaidInTheLanguageThatIsChosenLast() {
    var catalog = MessageCatalog.standard(in: .korean)
    let issue = ValidationIssue(.tooLong, at: "name", params: ["limit": .integer(5)])
    #expect(catalog.message(for: issue) == "5자 이하여야 합니다.")
    catalog.language = .english
    #expect(catalog.message(for: issue) == "Use 5 characters or fewer.")
  }

  @Test func aDomainsOwnTextsPrecedeTheStandardOnes() {
    var catalog = MessageCatalog.standard(in: .english)
    catalog.add([.english: "A name, please."], for: .blank, at: "name")
    #expect(catalog.message(for: ValidationIssue(.blank, at: "name")) == "A name, please.")
    #expect(catalog.message(for: ValidationIssue(.blank)) == "Please enter something.")
  }

  @Test func aTextMayNameTheFieldByItsLabel() {
    var catalog = MessageCatalog(language: .korean)
    catalog.add([.korean: "{field}: 비어 있음", .english: "{field} is empty"], for: .blank)
    catalog.addLabel([.korean: "이름", .english: "Name"], at: ["people", "name"])
    let issue = ValidationIssue(.blank, at: ["people", 2, "name"])
    #expect(catalog.message(for: issue) == "이름: 비어 있음")
    catalog.language = Language(rawValue: "fr")
    #expect(catalog.message(for: issue) == "Name is empty")
    #expect(catalog.message(for: ValidationIssue(.blank, at: "street")) == "street is empty")
  }
}
