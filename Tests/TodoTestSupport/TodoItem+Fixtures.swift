import Croft
package import Foundation
package import TodoKit

extension UUID {
  /// An id that is the same in every run, and greater for a greater number.
  package static func numbered(_ number: Int) -> UUID {
    withUnsafeBytes(of: UInt64(number).bigEndian) { bytes in
      UUID(
        uuid: (
          0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
          bytes[6], bytes[7]
        ))
    }
  }
}

extension Date {
  /// The moment at which the repositories of tests say that everything happens.
  package static let noted = Date(timeIntervalSinceReferenceDate: 800_000_000)
}

extension TodoItem {
  /// An item that is the same in every run; made, and standing, `minute` minutes after the first.
  package static func numbered(
    _ number: Int, title: String? = nil, priority: Priority = .normal, isDone: Bool = false,
    isImportant: Bool = false, minute: Int? = nil, group: UUID? = nil
  ) -> TodoItem {
    TodoItem(
      id: .numbered(number), title: title ?? "item \(number)", priority: priority, isDone: isDone,
      isImportant: isImportant,
      createdAt: Date(timeIntervalSinceReferenceDate: Double(minute ?? number) * 60),
      group: group.map { Ref($0) }, order: Int64(minute ?? number) << 32,
      doneAt: isDone ? .noted : nil)
  }
}

extension TodoGroup {
  /// A group that is the same in every run.
  package static func numbered(
    _ number: Int, name: String? = nil, color: RGBA = .gray, image: GroupImage? = nil
  ) -> TodoGroup {
    TodoGroup(
      id: .numbered(1000 + number), name: name ?? "group \(number)", color: color, image: image,
      order: Int64(number) << 32,
      createdAt: Date(timeIntervalSinceReferenceDate: Double(number) * 60))
  }
}
