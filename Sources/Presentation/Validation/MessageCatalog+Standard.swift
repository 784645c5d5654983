extension MessageCatalog {
  /// A catalogue with the texts of this module's own codes, in Korean and English.
  public static func standard(in language: Language) -> MessageCatalog {
    var catalog = MessageCatalog(language: language)
    catalog.addStandardTexts()
    return catalog
  }

  /// Adds the texts of this module's own codes, in Korean and English.
  ///
  /// They fit any field. A domain that can say it better adds its own afterwards.
  public mutating func addStandardTexts() {
    for (code, texts) in Self.standardTexts { add(texts, for: code) }
  }

  private static let standardTexts: [(ValidationIssue.Code, [Language: String])] = [
    (.required, [.korean: "하나를 선택해주세요.", .english: "Please choose one."]),
    (.blank, [.korean: "내용을 입력해주세요.", .english: "Please enter something."]),
    (.tooShort, [.korean: "{limit}자 이상이어야 합니다.", .english: "Use {limit} characters or more."]),
    (.tooLong, [.korean: "{limit}자 이하여야 합니다.", .english: "Use {limit} characters or fewer."]),
    (
      .outOfRange,
      [
        .korean: "{least}에서 {most} 사이여야 합니다.",
        .english: "Use a number from {least} to {most}.",
      ]
    ),
    (.notUnique, [.korean: "이미 사용 중입니다.", .english: "This is taken already."]),
    (.notFound, [.korean: "더 이상 존재하지 않습니다.", .english: "This does not exist any more."]),
    (
      .stale,
      [
        .korean: "그 사이에 다른 곳에서 변경되었습니다.",
        .english: "This was changed elsewhere meanwhile.",
      ]
    ),
    (.mismatch, [.korean: "두 값이 서로 다릅니다.", .english: "The two do not match."]),
    (.invalidFormat, [.korean: "형식이 올바르지 않습니다.", .english: "This cannot be read."]),
    (
      .unchecked,
      [.korean: "아직 확인하지 못했습니다.", .english: "This could not be checked yet."]
    ),
    (
      .unexpected,
      [.korean: "문제가 발생했습니다: {reason}", .english: "Something went wrong: {reason}"]
    ),
  ]
}
