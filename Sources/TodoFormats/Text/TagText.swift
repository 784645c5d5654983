extension String {
  /// The tags of a cell: texts between commas, or tags as they are typed, `#shop #"two words"`.
  var tagList: [String] {
    let text = trimmedBlanks
    return text.unicodeScalars.first == "#" ? text.typedTagList ?? text.csvList : text.csvList
  }

  /// Tags as they are typed; nil where a word is not one, or a quote is not closed.
  private var typedTagList: [String]? {
    var rest = unicodeScalars[...]
    var tags: [String] = []
    // A quote that is not before a blank or a comma is a part of the tag.
    func isInside(_ rest: Substring.UnicodeScalarView) -> Bool {
      rest.first.map { $0 != " " && $0 != "," } ?? false
    }
    while true {
      rest = rest.drop { $0 == " " || $0 == "," }
      guard let sign = rest.popFirst() else { return tags }
      guard sign == "#" else { return nil }
      var tag = String.UnicodeScalarView()
      if rest.first == "\"" {
        rest.removeFirst()
        while let scalar = rest.popFirst(), scalar != "\"" || isInside(rest) {
          tag.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
          if rest.isEmpty { return nil }
        }
      } else {
        while let scalar = rest.first, scalar != " " {
          // A list such as `#a,#b`.
          if scalar == ",", rest.dropFirst().first.map({ $0 == "#" || $0 == " " }) ?? true { break }
          tag.append(scalar)
          rest.removeFirst()
        }
      }
      tags.append(String(tag))
    }
  }
}

extension [String] {
  /// The tags as they are typed, between blanks.
  var typedTags: String {
    map { tag in
      let isQuoted = tag.unicodeScalars.contains { " ,\"\\".unicodeScalars.contains($0) }
      if !isQuoted { return "#" + tag }
      var scalars = String.UnicodeScalarView("#\"".unicodeScalars)
      for scalar in tag.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { scalars.append("\\") }
        scalars.append(scalar)
      }
      scalars.append("\"")
      return String(scalars)
    }.joined(separator: " ")
  }
}
