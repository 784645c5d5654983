/// What stands between a front end and the domain: raw input goes in, values come out.
///
/// A view model knows neither a widget nor a terminal. It is handed the streams
/// a front end produces and answers with the streams it shows:
///
/// ```swift
/// let output = viewModel.transform(input: .init(attempts: attempts))
/// ```
///
/// Errors and invalid input are elements of outputs, never the end of one: a
/// front end that showed an error is still connected for the next attempt.
///
/// Threads: outputs deliver on the thread that sent the input, before the send
/// returns. A front end that wants another thread chooses it.
public protocol ViewModel {
  /// The streams a front end feeds in.
  associatedtype Input
  /// The streams a front end shows.
  associatedtype Output

  /// Connects a front end's input to what it is to show.
  ///
  /// Nothing happens until an output is subscribed; each call makes outputs of
  /// its own.
  func transform(input: Input) -> Output
}
