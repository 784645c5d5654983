/// Turns the raw input of a front end into the values that it shows.
///
/// A view model depends on no user interface. It takes the streams that a front end emits, and
/// returns the streams that it shows:
///
/// ```swift
/// let output = viewModel.transform(input: .init(attempts: attempts))
/// ```
///
/// Errors and invalid input are elements of outputs and do not end them, so a front end that showed
/// an error is still connected for the next attempt.
///
/// Threads: outputs deliver on the thread that sent the input, before the call that sent it
/// returns. A front end chooses another thread with `observe(on:)`.
public protocol ViewModel {
  /// The streams of a front end's input.
  associatedtype Input
  /// The streams that a front end shows.
  associatedtype Output

  /// Connects the input of a front end to new outputs.
  ///
  /// Nothing happens until an output is subscribed. Each call makes new outputs.
  func transform(input: Input) -> Output
}
