/// Something that happened, with what there is to know about it.
///
///     struct TaskDone: EventProtocol {
///       struct Payload { let id: Int }
///       let payload: Payload
///     }
///
/// The type says what happened: a bus tells events apart by their type and by nothing else.
public protocol EventProtocol {
  /// What listeners are handed.
  associatedtype Payload

  /// What there is to know about this event.
  var payload: Payload { get }
}
