import NIOCore

/// Closes a connection whose client has closed it.
///
/// The system tells only that nothing more comes; until something is sent, nobody would find out that no answer is
/// wanted any more.
final class InputCloseHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed = event as? ChannelEvent { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }
}
