import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `group image GROUP FILE|drawn|none`: gives a group a picture.
extension GroupCommand {
  /// The most bytes of a picture that is stored.
  private static let imageBytesMax = 5 << 20

  func setImage(
    of name: String, from source: String, in session: Session
  ) throws(CommandError) {
    let group = try session.groups().group(name)
    let image: GroupImage? =
      switch source.lowercased() {
      case "none", "없음": nil
      case "drawn", "그림": PlaceholderImages().image(for: group.id)
      default: try Self.image(inFile: source, session)
      }
    let patch = GroupPatch(image: .some(image))
    try session.send(.editGroup(group.id, patch)) { answer throws(CommandError) in
      let result = try answer.get()
      let name = result.groups[0].name.visible
      let text = image.map { " \($0.label)" } ?? ""
      try say(
        image == nil
          ? LocalizedText("Group \"\(name)\" has no picture", "그룹 그림 없음 \"\(name)\"")
          : LocalizedText("Changed group \"\(name)\"\(text)", "그룹 수정 \"\(name)\"\(text)"),
        result, in: session)
    }
  }

  private static func image(
    inFile path: String, _ session: Session
  ) throws(CommandError) -> GroupImage {
    let bytes = try session.bytes(ofFile: path)
    guard bytes.count <= imageBytesMax else { throw CommandError(.pictureTooLarge(path)) }
    guard let kind = ImageKind(of: bytes) else { throw CommandError(.noPicture(path)) }
    return GroupImage(bytes: bytes, mimeType: kind.rawValue)
  }
}

extension GroupImage {
  /// What a terminal shows of the picture: that there is one, and its size.
  var label: String { "[img \((bytes.count + 1023) / 1024) KB]" }
}

extension LocalizedText {
  fileprivate static func noPicture(_ path: String) -> LocalizedText {
    LocalizedText(
      "\(path.visible) is no picture. Use a PNG, JPEG, GIF or WebP file, drawn, or none.",
      "\(path.visible): 그림이 아닙니다. PNG, JPEG, GIF, WebP 파일이나 drawn, none을 쓰세요.")
  }

  fileprivate static func pictureTooLarge(_ path: String) -> LocalizedText {
    LocalizedText(
      "\(path.visible) is larger than 5 MB. Use a smaller picture.",
      "\(path.visible): 5 MB보다 큽니다. 더 작은 그림을 쓰세요.")
  }
}
