import CroftFoundation
import TodoKit

/// `group image GROUP FILE|drawn|none` and `group image GROUP save FILE`: the picture of a group.
extension GroupCommand {
  /// The most bytes of a picture that is stored.
  private static let imageBytesMax = 5 << 20

  func setImage(of name: String, from source: String, in session: Session) throws {
    let group = try session.groups().group(name)
    let image: GroupImage? =
      switch source.lowercased() {
      case _ where source.meansNone: nil
      case "drawn", "그림": PlaceholderImages().image(for: group.id)
      default: try Self.image(inFile: source, session)
      }
    let patch = GroupPatch(image: .some(image))
    let result = try session.perform(.editGroup(group.id, patch))
    let stored = result.groups[0].name.visible
    let text = image.map { " \($0.label)" } ?? ""
    try say(
      image == nil
        ? LocalizedText("Group \"\(stored)\" has no picture", "그룹 그림 없음 \"\(stored)\"")
        : LocalizedText("Changed group \"\(stored)\"\(text)", "그룹 수정 \"\(stored)\"\(text)"),
      result, in: session)
  }

  private static func image(inFile path: String, _ session: Session) throws -> GroupImage {
    let bytes = try session.bytes(ofFile: path)
    guard bytes.count <= imageBytesMax else {
      throw CommandError(
        "\(path.visible) is larger than 5 MB. Use a smaller picture.",
        "\(path.visible): 5 MB보다 큽니다. 더 작은 그림을 쓰세요.")
    }
    guard let kind = ImageKind(of: bytes), kind != .png || isWholePNG(bytes) else {
      throw CommandError(
        "\(path.visible) is not a picture. Use a PNG, JPEG, GIF or WebP file, drawn, or none.",
        "\(path.visible): 그림이 아닙니다. PNG, JPEG, GIF, WebP 파일이나 drawn, none을 쓰세요.")
    }
    return GroupImage(bytes: bytes, mimeType: kind.rawValue)
  }

  /// Whether bytes have the header of a PNG file, and are not fewer than those of the smallest one.
  private static func isWholePNG(_ bytes: Data) -> Bool {
    bytes.count >= 57 && Array(bytes.dropFirst(12).prefix(4)) == Array("IHDR".utf8)
  }

  /// Writes the picture of a group to a file.
  func saveImage(of name: String, to path: String, replaces: Bool, in session: Session) throws {
    let group = try session.groups().group(name)
    guard let image = group.image else {
      throw CommandError(
        "Group \"\(group.name.visible)\" has no picture.",
        "\"\(group.name.visible)\" 그룹에는 그림이 없습니다.")
    }
    try session.write(
      image.bytes, toFile: path, unlessExists: replaces ? nil : .existsAlready(path))
    session.say(
      "Saved the picture of \"\(group.name.visible)\" to \(path.visible).",
      "\"\(group.name.visible)\" 그룹의 그림을 저장했습니다: \(path.visible)")
  }
}

extension GroupImage {
  /// What a terminal shows of the picture: that there is one, and its size.
  var label: String { "[img \((bytes.count + 1023) / 1024) KB]" }
}
