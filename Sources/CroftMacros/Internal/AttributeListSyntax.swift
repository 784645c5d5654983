import SwiftDiagnostics
import SwiftSyntax

extension AttributeListSyntax {
  /// Whether the list has this attribute, qualified or not, outside of `#if`.
  func contains(named name: String) -> Bool {
    attribute(named: name) != nil
  }

  func contains(_ marker: Marker) -> Bool {
    contains(named: marker.rawValue)
  }

  /// The first marker and where it is written.
  var firstMarker: (Marker, AttributeSyntax)? {
    for marker in Marker.allCases {
      if let attribute = attribute(named: marker.rawValue) { return (marker, attribute) }
    }
    return nil
  }

  /// The first attribute of that name.
  func attribute(named name: String) -> AttributeSyntax? {
    for element in self {
      if case .attribute(let attribute) = element, attribute.attributeName.baseName == name {
        return attribute
      }
    }
    return nil
  }
}

extension AttributeSyntax {
  /// The text between the parentheses; empty if there are none.
  var writtenArguments: String { arguments?.trimmedDescription ?? "" }

  /// The argument that is written as a member of that name, such as `.unique`.
  func argument(named name: String) -> ExprSyntax? {
    guard case .argumentList(let list) = arguments else { return nil }
    return list.map(\.expression).first {
      $0.as(MemberAccessExprSyntax.self)?.declName.baseName.text == name
    }
  }

  /// The fix-it that removes the attribute.
  var removal: [FixIt] {
    [FixIt(.remove(trimmedDescription), .removing(self))]
  }
}
