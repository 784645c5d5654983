import Foundation
import PageServer
import TodoKit

/// The fields of the form of a group, as texts.
struct GroupFields: Equatable, PageFields {
  /// The picture that a group is to have.
  enum Picture: String, CaseIterable, Sendable {
    /// The one that it has.
    case kept
    /// One drawn by this program.
    case drawn
    /// One of a dog or a cat, which the server fetches.
    case random
    /// That of the form's file.
    case file
    case none
  }

  /// What a form says that nobody can read.
  enum Problem: Error {
    case notAColor
    case notAPicture
  }

  var name = ""
  var color = ""
  var picture = Picture.drawn
  /// The titles of the first items, one a line.
  var titles = ""

  var named: [(name: String, value: String)] { [("name", name), ("color", color)] }

  /// The fields of a group.
  init(_ group: TodoGroup) {
    (name, color, picture) = (group.name, "\(group.color.opaque)", .kept)
  }

  /// The fields of a form that was sent; those that were there before have a prefix.
  init(_ form: FormFields, prefix: String = "") {
    name = form[prefix + "name"] ?? ""
    color = form[prefix + "color"] ?? ""
    picture = form[prefix + "picture"].flatMap(Picture.init(rawValue:)) ?? .kept
    // Without a script nothing selects the choice of a file when one is chosen.
    if form.files["file"] != nil { picture = .file }
    titles = form[prefix + "titles"] ?? ""
  }

  /// What the form of a new group begins with.
  static func ofNewGroup() -> GroupFields {
    var fields = GroupFields(TodoGroup(name: "", color: .randomDark()))
    fields.picture = .drawn
    return fields
  }

  /// The colour; nil where none was entered.
  private func chosenColor() throws -> RGBA? {
    if color.isEmpty { return nil }
    guard let chosen = RGBA(color) else { throw Problem.notAColor }
    return chosen
  }

  /// A new group as it was entered.
  ///
  /// - Throws: ``Problem/notAColor``.
  func draft(image: GroupImage?) throws -> GroupDraft {
    let lines = titles.split(separator: "\n").map(String.init)
      .filter { !$0.allSatisfy(\.isWhitespace) }
    return GroupDraft(name: name, color: try chosenColor(), image: image, titles: lines)
  }

  /// The form after a conflict: what the user has changed, and beside it what is there now.
  func rebased(from was: GroupFields, onto now: GroupFields) -> GroupFields {
    var fields = self
    if name == was.name { fields.name = now.name }
    if color == was.color { fields.color = now.color }
    return fields
  }

  /// A group as the form showed it; a colour is compared as the form can show it.
  func shown(of current: TodoGroup) -> TodoGroup {
    var group = current
    group.name = name
    if color != GroupFields(current).color { group.color = RGBA(color) ?? current.color }
    return group
  }

  /// What differs from what the form began with.
  ///
  /// - Throws: ``Problem/notAColor``.
  func patch(from was: GroupFields) throws -> GroupPatch {
    GroupPatch(
      name: name == was.name ? nil : name, color: color == was.color ? nil : try chosenColor())
  }
}
