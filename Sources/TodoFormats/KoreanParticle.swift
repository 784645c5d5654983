/// A particle of Korean that follows a name, in the form that the name's last sound asks for.
package enum KoreanParticle {
  /// 은 or 는: the topic.
  case topic
  /// 이 or 가: the subject.
  case subject
  /// 을 or 를: the object.
  case object
  /// 으로 or 로: a means or a direction; ㄹ counts as a vowel.
  case direction

  /// The particle as it follows a text; both forms where the sound of its last character is not known.
  package func form(after text: String) -> String {
    let forms: (closed: String, open: String, unknown: String) =
      switch self {
      case .topic: ("은", "는", "은(는)")
      case .subject: ("이", "가", "이(가)")
      case .object: ("을", "를", "을(를)")
      case .direction: ("으로", "로", "(으)로")
      }
    switch Ending(of: text) {
    case .vowel: return forms.open
    case .rieul: return self == .direction ? forms.open : forms.closed
    case .consonant: return forms.closed
    case .unknown: return forms.unknown
    }
  }

  /// The last sound of a text.
  private enum Ending {
    case vowel, consonant, rieul, unknown

    /// How 0 to 9 end when they are read: 영, 일, 이, 삼, 사, 오, 육, 칠, 팔, 구.
    private static let digits: [Ending] = [
      .consonant, .rieul, .vowel, .consonant, .vowel, .vowel, .consonant, .rieul, .rieul, .vowel,
    ]

    init(of text: String) {
      // Quotes and brackets have no sound.
      let last = text.last { $0.isLetter || $0.isNumber }
      guard let scalar = last?.unicodeScalars.last else {
        self = .unknown
        return
      }
      switch scalar {
      case "0"..."9": self = Self.digits[Int(scalar.value) - 0x30]
      case "가"..."힣":
        // The code points of syllables run through the 28 final sounds first; 0 is none.
        switch (scalar.value - 0xAC00) % 28 {
        case 0: self = .vowel
        case 8: self = .rieul
        default: self = .consonant
        }
      // Letters that are not composed: a vowel, or the final sound.
      case "\u{1161}"..."\u{1175}": self = .vowel
      case "\u{11AF}": self = .rieul
      case "\u{11A8}"..."\u{11C2}": self = .consonant
      default: self = .unknown
      }
    }
  }
}

extension String {
  /// The text with a particle of Korean.
  package func with(_ particle: KoreanParticle) -> String { self + particle.form(after: self) }

  /// The text in quotes with a particle of Korean.
  package func inQuotes(_ particle: KoreanParticle) -> String {
    "\"\(self)\"" + particle.form(after: self)
  }
}
