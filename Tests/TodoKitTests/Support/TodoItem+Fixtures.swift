import Foundation
import TodoKit

extension UUID {
  /// An id that is the same in every run, and greater for a greater number.
  static func numbered(_ number: Int) -> UUID {
    withUnsafeBytes(of: UInt64(number).bigEndian) { bytes in
      UUID(
        uuid: (
          0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
          bytes[6], bytes[7]
        ))
    }
  }
}

extension TodoItem {
  /// An item that is the same in every run; made `minute` minutes after the first one.
  static func numbered(
    _ number: Int, title: String? = nil, priority: Priority = .normal, isDone: Bool = false,
    isImportant: Bool = false, minute: Int? = nil
  ) -> TodoItem {
    TodoItem(
      id: .numbered(number), title: title ?? "item \(number)", priority: priority, isDone: isDone,
      isImportant: isImportant,
      createdAt: Date(timeIntervalSinceReferenceDate: Double(minute ?? number) * 60))
  }
}
